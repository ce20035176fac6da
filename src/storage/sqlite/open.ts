/**
 * Opens the storage in a SQLite file, overwrites what was removed from it, and keeps two files beside it: the lock, because
 * only one bot may use the database, and the key.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import Keyv from 'keyv';
import { unreplicated } from '../../outbox/ports.ts';
import { createRateLimiter } from '../rate-limiter.ts';
import { openRecordStores, type Storage } from '../storage.ts';
import { createStorageVersion } from '../storage-version.ts';
import { BUSY_MS, type Database, errcodeOf, SQLITE_BUSY } from './connection.ts';
import { openDatabase, versionOf } from './database.ts';
import { createSqliteRecordStore } from './record-store.ts';

type SqliteStorage = Storage & {
  /**
   * Reads the key file, and creates it (mode 0600) when it is missing, so that the first start needs no setup.
   *
   * @returns `text`: its content in the form of SECRET_KEYS, `id:base64key`
   * @throws in one sentence, if it is missing and the database holds secrets that only its key opens
   */
  readKeyFile(): { path: string; text: string };
};

export function openSqliteStorage(path: string): SqliteStorage {
  const database = openDatabase(path);
  const ping = database.statement(
    "INSERT INTO keyv (key, value) VALUES ('ping', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  let release = () => {};
  return {
    ...openRecordStores((type, schema) => createSqliteRecordStore(database, type, schema)),
    replicated: unreplicated,
    limiter: createRateLimiter(),
    keyv: (namespace) => openSqliteKeyv(database, namespace),
    readKeyFile() {
      const file = keyFilePath(path);
      if (!existsSync(file)) createKeyFile(file, holdsSecrets(database));
      return { path: file, text: readKey(file).trim() };
    },
    version: createStorageVersion(
      path,
      async () => versionOf(database),
      async (oldest) => database.exec(`PRAGMA user_version = ${oldest}`),
    ),
    open: async () => {},
    lock() {
      if (path !== ':memory:') release = lockDatabase(path);
    },
    // Writes, because a full disk can still be read. Keys of keyv have a namespace, so none is in the way.
    ping: () => database.write(() => void ping.run(`${Date.now()}`)),
    scrub: () => scrub(database),
    async close() {
      database.close();
      release();
    },
  };
}

/** The tries of a scrub, and the wait between two of them: a reader such as a backup may hold it up. */
const SCRUB_TRIES = 100;
const SCRUB_PAUSE_MS = 100;

/**
 * Clears the log. Removed rows are overwritten in the file (secure_delete), but the log keeps them until it is written
 * into the file and truncated (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
 *
 * @throws if others read or write all the time: it must be repeated
 */
async function scrub(database: Database): Promise<void> {
  for (let tries = 1; !isLogTruncated(database); tries++) {
    if (tries === SCRUB_TRIES)
      throw new Error(
        'The removed data are still in the log beside the database (-wal), because the file is being read, for example by a backup. The bot clears it within about an hour after that has ended.',
      );
    await sleep(SCRUB_PAUSE_MS);
  }
}

/** The code if this process itself is reading a list (https://www.sqlite.org/rescode.html). */
const SQLITE_LOCKED = 6;
const BLOCKED_CODES: ReadonlySet<unknown> = new Set([SQLITE_BUSY, SQLITE_LOCKED]);

/** Truncates the log at once or not at all: SQLite would block this process while it waits. */
function isLogTruncated(database: Database): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.statement('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (BLOCKED_CODES.has(errcodeOf(error))) return false;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/**
 * Holds an operating system lock on a file beside the database, which ends with the process in any case. SQLite can lock on
 * every system (https://www.sqlite.org/lockingv3.html); the file stays empty. A second bot on the file would have its own
 * rate limits and pauses, and both would call Slack and the order service too often; several bots share a Redis.
 *
 * @param path the path of the database
 * @returns a function that releases the lock
 * @throws in one sentence, if another bot holds it
 */
function lockDatabase(path: string): () => void {
  // One file must not look like two by a symbolic link.
  const file = `${realpathSync(path)}.lock`;
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (errcodeOf(error) !== SQLITE_BUSY) throw error;
    throw new Error(
      `Another bot uses the database ${path} (STORAGE_URL) and holds ${file}. Stop that bot, or give this one its own database. Several bots can share a Redis.`,
    );
  }
  chmodSync(file, 0o600);
  return () => lock.close();
}

/** Returns the path of a database's key file: beside the file itself, not beside a symbolic link to it. */
export const keyFilePath = (databasePath: string): string =>
  `${existsSync(databasePath) ? realpathSync(databasePath) : databasePath}.key`;

/** @throws in one sentence, even if there is a folder: Docker makes one where it mounts a file that is missing */
function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new Error(
      `The key file ${path} cannot be read (${code}). It must be a file that the user of this process may read.`,
    );
  }
}

const holdsSecrets = (database: Database): boolean =>
  ['connections', 'tokens', 'installations'].some(
    (table) => database.statement(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );

/**
 * Creates the key file completely and durably, or not at all. If two processes start at once, one creates it and both
 * read it.
 */
function createKeyFile(path: string, isNeeded: boolean): void {
  if (isNeeded)
    throw new Error(
      `The key file ${path} is missing, and the database holds secrets that only its key opens. Restore the file from a backup or, if its key was in SECRET_KEYS, set that again.`,
    );
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  writeSync(file, `local:${randomBytes(32).toString('base64')}\n`);
  syncAndClose(file);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary);
  }
  // The name of a file is durable once its folder is (https://man7.org/linux/man-pages/man2/fsync.2.html).
  syncAndClose(openSync(dirname(path), 'r'));
}

function syncAndClose(file: number): void {
  fsyncSync(file);
  closeSync(file);
}

/**
 * Adapts node:sqlite to keyv, for values where the last write may win.
 *
 * @param namespace separates the keys of one kind. The store puts it in front of the key exactly once: keyv itself
 *   would omit it if a key already begins with it, and so confuse two keys
 */
export function openSqliteKeyv(database: Database, namespace: string): Keyv {
  const select = database.statement('SELECT value FROM keyv WHERE key = ?');
  const set = database.statement(
    'INSERT INTO keyv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = database.statement('DELETE FROM keyv WHERE key = ?');
  const prefixed = (key: string) => `${namespace}:${key}`;
  const store = {
    get: async (key: string) => select.get(prefixed(key))?.['value'],
    set: (key: string, value: string) => database.write(() => void set.run(prefixed(key), value)),
    delete: (key: string) => database.write(() => remove.run(prefixed(key)).changes > 0),
    // keyv requires this method of a store, but nothing calls it.
    clear: () => Promise.reject(new Error('No namespace is cleared.')),
  };
  return new Keyv({ store, namespace, useKeyPrefix: false, throwOnErrors: true, emitErrors: false });
}
