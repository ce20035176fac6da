/**
 * The port for the storage that STORAGE_URL names, which SQLite (sqlite/open.ts) and Redis (redis/open.ts) implement. A storage
 * that is unavailable, and may come back, is told from one that is set up wrongly.
 */
import type Keyv from 'keyv';
import type { Log, RateLimiter, Replicated } from '../outbox/ports.ts';
import type { RecordStores } from './record-stores.ts';
import type { StorageVersion } from './storage-version.ts';

export type Storage = RecordStores & {
  /** Names the versions of Countermand that can work on the storage. */
  version: StorageVersion;
  replicated: Replicated;
  limiter: RateLimiter;
  /** Opens the keyv of a namespace. A storage that is unavailable throws: it never looks like an empty one. */
  keyv(namespace: string): Keyv;
  /**
   * Opens the storage, before it is used.
   *
   * @throws in one sentence: StorageUnavailableError if it can be opened later, another error if it must not be trusted
   */
  open(log: Log): Promise<void>;
  /**
   * Claims the storage for a bot. Terminal commands claim nothing: they may work beside the bot.
   *
   * @throws in one sentence, where only one bot may use the storage and another one does
   */
  claim(): void;
  /** Tests the storage. @throws where it can't be written */
  ping(): Promise<void>;
  /**
   * Makes sure that removed data can't be read any more where they were stored.
   *
   * @throws where that was not possible: it has to be done again
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
};

/** The storage can't be reached at the moment. */
export class StorageUnavailableError extends Error {}

/** Codes of Node (https://nodejs.org/api/errors.html#common-system-errors) and of DNS: a name may be known later. */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** Errors of node-redis (@redis/client, lib/errors.js), and Redis while it reads its file. */
const UNAVAILABLE_ERRORS =
  /^(?:Connection timeout|Socket timeout|Socket closed unexpectedly|The client is closed|LOADING )/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return ('code' in error && UNAVAILABLE_CODES.has(error.code)) || UNAVAILABLE_ERRORS.test(error.message);
}

/** @returns whether the storage is open; false: it is unavailable @throws in one sentence, if it must not be used */
export async function tryToOpen(open: () => ReturnType<Storage['open']>): Promise<boolean> {
  try {
    await open();
    return true;
  } catch (error) {
    if (error instanceof StorageUnavailableError) return false;
    throw error;
  }
}
