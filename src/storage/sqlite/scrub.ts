/** Clears removed data from the database file and from the log beside it (-wal). */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUSY_MS } from './database.ts';

/** A backup in progress reads for a while; it fails if it blocks this for longer. */
const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Clears the log. Removed rows are overwritten in the file (secure_delete), but the log keeps them until it is written
 * into the file and truncated (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
 *
 * @throws if others read or write all the time: it must be repeated
 */
export async function scrub(database: DatabaseSync): Promise<void> {
  database.prepare('DELETE FROM keyv WHERE expires_at < ?').run(Date.now());
  for (let tries = 1; !isLogTruncated(database); tries++) {
    if (tries === TRIES)
      throw new Error(
        'The removed data are still in the log beside the database (-wal), because another process is reading the file, for example a backup. Run this again when it has ended.',
      );
    await sleep(PAUSE_MS);
  }
}

/** Truncates the log at once or not at all: SQLite would block this process while it waits. */
function isLogTruncated(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && BLOCKED_CODES.has(error.errcode)) return false;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** SQLITE_BUSY, and SQLITE_LOCKED: this process is reading a list (https://www.sqlite.org/rescode.html). */
const BLOCKED_CODES: ReadonlySet<unknown> = new Set([5, 6]);
