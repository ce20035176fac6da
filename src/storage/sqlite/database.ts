/** Opens the SQLite database: the default storage, which needs nothing installed. */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A record is found by what it owes (`due_at`), by what it is about (`subject`), by its slot and by its age (`at`). */
const recordTable = (table: string) => `
  CREATE TABLE IF NOT EXISTS ${table} (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    slot TEXT,
    due_at INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS ${table}_slot ON ${table} (workspace, slot) WHERE slot IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${table}_due ON ${table} (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${table}_subject ON ${table} (workspace, subject, at);
  CREATE INDEX IF NOT EXISTS ${table}_at ON ${table} (workspace, at, id);
`;

const SCHEMA = `
  ${recordTable('requests')}
  ${recordTable('notices')}
  CREATE TABLE IF NOT EXISTS keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS keyv_expires ON keyv (expires_at) WHERE expires_at IS NOT NULL;
`;

/** How long a write waits for another process (the terminal command) that is writing. */
const BUSY_MS = 2_000;

/**
 * @param path of the file; it is made, with its folder, readable by the owner alone. `:memory:` keeps nothing
 * @throws where the file can't be opened or is not a database
 */
export function openDatabase(path: string): DatabaseSync {
  const inMemory = path === ':memory:';
  if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  if (!inMemory) chmodSync(path, 0o600);
  // A write that was answered for must survive a power cut: WAL commits are synced in full.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  migrate(database, path);
  return database;
}

/** The version of the schema. A newer one was written by a newer Countermand, which this one does not understand. */
const VERSION = 1;

function migrate(database: DatabaseSync, path: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (found > VERSION)
    throw new Error(`${path} was written by a newer version of Countermand: run that one.`);
  database.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`);
}
