/**
 * Ensures that only one bot uses a database file. A second one would have its own rate limits and pauses, and both
 * would call Slack and the order service too often; several bots share a Redis.
 */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY (https://www.sqlite.org/rescode.html). */
const BUSY = 5;

/**
 * Holds an operating system lock on a file beside the database, which ends with the process in any case. SQLite can
 * lock on every system (https://www.sqlite.org/lockingv3.html); the file stays empty.
 *
 * @param path the path of the database
 * @returns a function that releases the lock
 * @throws in one sentence, if another bot holds it
 */
export function claimDatabase(path: string): () => void {
  const file = `${path}.lock`;
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error;
    throw new Error(
      `Another bot uses the database ${path} (STORAGE_URL) and holds ${file}. Stop that bot, or give this one its own database. Several bots can share a Redis.`,
    );
  }
  chmodSync(file, 0o600);
  return () => lock.close();
}
