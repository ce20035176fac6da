/** Nothing that was removed is left in the file of the database, nor in the log beside it (-wal). */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUSY_MS } from './database.ts';

/** A backup that is being made reads for a while; whoever is in the way longer than this makes it fail. */
const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Removed rows are overwritten in the file (secure_delete), but the log keeps them until it is written into the file and
 * cut to nothing (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
 *
 * @throws where others read or write all the time: it has to be done again
 */
export async function scrub(database: DatabaseSync): Promise<void> {
  database.prepare('DELETE FROM keyv WHERE expires_at < ?').run(Date.now());
  for (let tries = 1; !isLogCut(database); tries++) {
    if (tries === TRIES)
      throw new Error(
        'What was removed still stands in the log beside the database (-wal), since somebody reads the file, for a backup perhaps: do this again when that is over.',
      );
    await sleep(PAUSE_MS);
  }
}

/** At once or not at all: SQLite would wait, and nothing else would be done meanwhile. */
function isLogCut(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && IN_THE_WAY.has(error.errcode)) return false;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** SQLITE_BUSY, and SQLITE_LOCKED: a list of this very process is being read (https://www.sqlite.org/rescode.html). */
const IN_THE_WAY: ReadonlySet<unknown> = new Set([5, 6]);
