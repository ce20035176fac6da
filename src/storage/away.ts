/** Tells a storage that is away, and may come back, from one that is set up wrongly. */
import type { Storage } from './storage.ts';

/** The storage can't be reached at the moment. */
export class StorageAwayError extends Error {}

/** Codes of Node (https://nodejs.org/api/errors.html#common-system-errors) and of DNS: a name may be known later. */
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** Errors of node-redis (@redis/client, lib/errors.js), and Redis while it reads its file. */
const AWAY_ERRORS = /^(?:Connection timeout|Socket closed unexpectedly|LOADING )/;

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return ('code' in error && AWAY_CODES.has(error.code)) || AWAY_ERRORS.test(error.message);
}

/** @returns whether the storage is open; false: it is away @throws in one sentence, if it must not be used */
export async function tryToOpen(open: () => ReturnType<Storage['open']>): Promise<boolean> {
  try {
    await open();
    return true;
  } catch (error) {
    if (error instanceof StorageAwayError) return false;
    throw error;
  }
}
