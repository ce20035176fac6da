/**
 * The port for the storage that STORAGE_URL names, which SQLite (sqlite/open.ts) and Redis (redis/open.ts) implement, with a
 * store for each type of record. It distinguishes a storage that is unavailable for now from one that is set up wrongly.
 */
import type Keyv from 'keyv';
import type { z } from 'zod';
import { TaskRecord } from '../jobs/scheduled-task.ts';
import type { Log, RateLimiter, Replicated } from '../outbox/ports.ts';
import type { RecordStore, RecordTypeName, Stored } from '../outbox/record-store.ts';
import { AuditEntry } from '../requests/model/audit-entry.ts';
import { Notice } from '../requests/model/notices/notice.ts';
import { RecentRequests } from '../requests/model/recent.ts';
import { RequestRecord } from '../requests/model/record.ts';
import { Connection } from '../workspaces/connection/connection.ts';
import { TokenRecord } from '../workspaces/connection/token-record.ts';
import { InstallationRecord } from '../workspaces/installation/installation-record.ts';
import { MembershipRecord } from '../workspaces/installation/organizations.ts';
import { UninstallRecord } from '../workspaces/installation/uninstall-record.ts';
import { SettingsRecord } from '../workspaces/settings-record.ts';
import { UsedName } from '../workspaces/single-use.ts';
import { UnsignedEventsRecord } from '../workspaces/unsigned-events.ts';
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
   * Locks the storage for a bot. Terminal commands lock nothing: they may work beside the bot.
   *
   * @throws in one sentence, where only one bot may use the storage and another one does
   */
  lock(): void;
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
  /^(?:Connection timeout|Socket timeout|Socket closed unexpectedly|The client is (?:closed|offline)|LOADING )/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return ('code' in error && UNAVAILABLE_CODES.has(error.code)) || UNAVAILABLE_ERRORS.test(error.message);
}

/** Whether Redis refuses to take more memory (`maxmemory`). It still permits removals. */
export const isFull = (error: unknown): boolean => error instanceof Error && /\bOOM\b/.test(error.message);

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

type RecordStores = ReturnType<typeof openRecordStores>;

/** Opens a store for each type of record, with the schema of that type. */
export function openRecordStores(
  open: <R extends Stored>(type: RecordTypeName, schema: z.ZodType<R>) => RecordStore<R>,
) {
  return {
    requests: open('requests', RequestRecord),
    notices: open('notices', Notice),
    uninstalls: open('uninstalls', UninstallRecord),
    settings: open('settings', SettingsRecord),
    unsignedEvents: open('unsigned_events', UnsignedEventsRecord),
    recentRequests: open('recent_requests', RecentRequests),
    connections: open('connections', Connection),
    tokens: open('tokens', TokenRecord),
    auditEntries: open('audit_entries', AuditEntry),
    installations: open('installations', InstallationRecord),
    organizations: open('organizations', MembershipRecord),
    usedStates: open('used_states', UsedName),
    tasks: open('tasks', TaskRecord),
  };
}
