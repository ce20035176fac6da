/** Opens the SQLite database, the default storage, which needs no installation, creates its tables, and holds the SQL on them. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RECORD_TYPES, type RecordTypeName } from '../../outbox/record-store.ts';
import { mustBeUsable, SCHEMA_VERSION } from '../storage-version.ts';
import { BUSY_MS, Database, DatabaseError, errcodeOf, explained, LIMIT, SQLITE_BUSY } from './connection.ts';

/**
 * @param path the path of the file; it is created with its folder, readable by the owner alone. `:memory:` stores
 *   nothing
 * @throws DatabaseError for an error of the file, here and on every later use; here another error if the file needs a newer
 *   version than this one, or was written by an older version than this one can read
 */
export function openDatabase(path: string): Database {
  return explained(path, () => open(path));
}

/** Creates a folder where the database would be, and removes it: the rights alone do not tell. @throws DatabaseError */
export function mustBeCreatable(path: string): void {
  explained(path, () => {
    let folder = dirname(resolve(path));
    // SQLite creates the file that a link names, but no folder for it.
    if (isThere(path)) folder = dirname(resolve(folder, readlinkSync(path)));
    else while (!isThere(folder)) folder = dirname(folder);
    rmdirSync(mkdtempSync(join(folder, '.countermand-')));
  });
}

/** Whether there is something at a path, if only a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function open(path: string): Database {
  const inMemory = path === ':memory:';
  // Node tries for ever where a folder is missing however often it is made, as in /proc.
  if (!inMemory && !isThere(dirname(path))) mustBeCreatable(path);
  if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new Database(path);
  mustBeOurs(database, path);
  // Not a device: root would take /dev/null away from the whole machine.
  if (!inMemory && statSync(path).isFile()) chmodSync(path, 0o600);
  // An acknowledged write must survive a power cut: WAL commits are fully synced.
  switchToWal(database);
  database.exec('PRAGMA synchronous = FULL;');
  // Overwrites removed data in the file; scrub (open.ts) clears the log beside it.
  database.exec('PRAGMA secure_delete = ON;');
  createTables(database, path);
  return database;
}

/** The `user_version` of a file in which nothing has set it yet. */
const NEW = 0;

/** Leaves a file of another program as it is. @throws DatabaseError about that file */
function mustBeOurs(database: DatabaseSync, path: string): void {
  const tables = tablesOf(database);
  if (tables.size === 0 || (tables.has('requests') && versionOf(database) !== NEW)) return;
  database.close();
  throw new DatabaseError(path, 'belongs to another program. Set STORAGE_URL to a file of its own.');
}

const RETRY_MS = 10;

/**
 * Switches to WAL. SQLite refuses the switch at once, whatever its time-out, while another process opens the same new file
 * (https://www.sqlite.org/wal.html, "Sometimes Queries Return SQLITE_BUSY In WAL Mode"): so it is tried again here.
 */
function switchToWal(database: DatabaseSync): void {
  const until = performance.now() + BUSY_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL;');
      return;
    } catch (error) {
      if (errcodeOf(error) !== SQLITE_BUSY || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

const KEYV = 'CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;';

/** Creates the tables completely or not at all: the bot and a terminal command may open a new file at the same time. */
function createTables(database: DatabaseSync, path: string): void {
  if (versionOf(database) !== NEW && missingTables(database).length === 0) {
    mustBeUsable(path, versionOf(database));
    return;
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    if (versionOf(database) === NEW) database.exec(`${KEYV} PRAGMA user_version = ${SCHEMA_VERSION};`);
    mustBeUsable(path, versionOf(database));
    // A newer version adds tables, which an older one leaves alone.
    for (const table of missingTables(database)) database.exec(recordTable(table));
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function missingTables(database: DatabaseSync): string[] {
  const tables = tablesOf(database);
  return RECORD_TYPES.filter((type) => !tables.has(type));
}

function tablesOf(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Set(rows.map(({ name }) => String(name)));
}

/** The oldest version that can work on the file, in the number that SQLite keeps for its users. */
export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version']);

/**
 * Creates the tables of a type of record. A record is found by its key, its due time (`due_at`), its slot, its creation
 * time (`at`) and each of its subjects: a JSON list in its row, and one row each in a separate table. A further table
 * lists the workspaces with pending effects by the earliest due time of each (`since`), so that looking for what is due
 * costs nothing for those in which nothing is due yet.
 */
const recordTable = (table: string): string => `
  CREATE TABLE ${table} (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    subjects TEXT NOT NULL,
    at INTEGER NOT NULL,
    slot TEXT,
    due_at INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE UNIQUE INDEX ${table}_slot ON ${table} (workspace, slot) WHERE slot IS NOT NULL;
  CREATE INDEX ${table}_due ON ${table} (workspace, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX ${table}_at ON ${table} (workspace, at, id);
  CREATE TABLE ${table}_subjects (
    workspace TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workspace, subject, at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ${table}_waiting (workspace TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX ${table}_waiting_since ON ${table}_waiting (since);
  ${subjectTriggers(table)}
  ${waitingTriggers(table)}
`;

/** Keeps the subjects in step with their record, in the same statement. Subjects that stay are not rewritten. */
function subjectTriggers(table: string): string {
  const of = (row: 'OLD' | 'NEW') => `SELECT value FROM json_each(${row}.subjects)`;
  const list = (subjects: string) => `
    INSERT OR IGNORE INTO ${table}_subjects
      SELECT NEW.workspace, value, NEW.at, NEW.id FROM (${subjects});`;
  const unlist = (subjects: string) => `
    DELETE FROM ${table}_subjects
      WHERE workspace = OLD.workspace AND at = OLD.at AND id = OLD.id AND subject IN (${subjects});`;
  return `
    CREATE TRIGGER ${table}_listed AFTER INSERT ON ${table} BEGIN ${list(of('NEW'))} END;
    CREATE TRIGGER ${table}_unlisted AFTER DELETE ON ${table} BEGIN ${unlist(of('OLD'))} END;
    CREATE TRIGGER ${table}_relisted AFTER UPDATE OF subjects ON ${table}
      WHEN NEW.subjects IS NOT OLD.subjects BEGIN
        ${unlist(`${of('OLD')} EXCEPT ${of('NEW')}`)}
        ${list(`${of('NEW')} EXCEPT ${of('OLD')}`)}
      END;
  `;
}

/** Keeps the earliest due time of a workspace in step with its records, in the same statement. */
function waitingTriggers(table: string): string {
  const sooner = `
    INSERT INTO ${table}_waiting VALUES (NEW.workspace, NEW.due_at)
      ON CONFLICT DO UPDATE SET since = excluded.since WHERE since > excluded.since;`;
  const earliest = `SELECT due_at FROM ${table} WHERE workspace = OLD.workspace AND due_at IS NOT NULL
    ORDER BY due_at LIMIT 1`;
  const later = `
    DELETE FROM ${table}_waiting WHERE workspace = OLD.workspace AND NOT EXISTS (${earliest});
    UPDATE ${table}_waiting SET since = (${earliest}) WHERE workspace = OLD.workspace AND since = OLD.due_at;`;
  return `
    CREATE TRIGGER ${table}_waits AFTER INSERT ON ${table}
      WHEN NEW.due_at IS NOT NULL BEGIN ${sooner} END;
    CREATE TRIGGER ${table}_waits_no_more AFTER DELETE ON ${table}
      WHEN OLD.due_at IS NOT NULL BEGIN ${later} END;
    CREATE TRIGGER ${table}_waits_sooner AFTER UPDATE OF due_at ON ${table}
      WHEN NEW.due_at IS NOT NULL AND (OLD.due_at IS NULL OR NEW.due_at < OLD.due_at) BEGIN ${sooner} END;
    CREATE TRIGGER ${table}_waits_longer AFTER UPDATE OF due_at ON ${table}
      WHEN OLD.due_at IS NOT NULL AND (NEW.due_at IS NULL OR NEW.due_at > OLD.due_at) BEGIN ${later} END;
  `;
}

/** The statements on the records of a type: compare-and-set and its pages (record-store.ts). */
export const recordStatements = (table: RecordTypeName) => ({
  insert: `INSERT INTO ${table} (workspace, id, version, subjects, at, slot, due_at, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  insertFurther: `INSERT INTO ${table} (workspace, id, version, subjects, at, due_at, record)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO NOTHING`,
  replace: `UPDATE ${table} SET version = ?, subjects = ?, slot = ?, due_at = ?, record = ?
    WHERE workspace = ? AND id = ?`,
  remove: `DELETE FROM ${table} WHERE workspace = ? AND id = ?`,
  removeSome: `DELETE FROM ${table} WHERE workspace = ?1 AND id IN
    (SELECT id FROM ${table} WHERE workspace = ?1 ${LIMIT}2)`,
  count: `SELECT count(*) AS count FROM ${table} WHERE workspace = ?`,
  // One look into the index for each workspace, however many records it has.
  workspaces: `WITH RECURSIVE listed (workspace) AS (
      SELECT min(workspace) FROM ${table} WHERE workspace > ?1 UNION ALL
      SELECT (SELECT min(workspace) FROM ${table} WHERE workspace > listed.workspace)
        FROM listed WHERE workspace IS NOT NULL
    ) SELECT workspace FROM listed WHERE workspace IS NOT NULL ${LIMIT}2`,
  version: `SELECT version, slot FROM ${table} WHERE workspace = ? AND id = ?`,
  byId: `SELECT record FROM ${table} WHERE workspace = ? AND id = ?`,
  bySlot: `SELECT record FROM ${table} WHERE workspace = ? AND slot = ?`,
  newestOfSubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? AND (listed.at, listed.id) < (?, ?)
    ORDER BY listed.at DESC, listed.id DESC ${LIMIT}`,
  oldestOfSubject: `SELECT record FROM ${table}_subjects AS listed JOIN ${table} USING (workspace, id)
    WHERE workspace = ? AND subject = ? AND (listed.at, listed.id) > (?, ?)
    ORDER BY listed.at, listed.id ${LIMIT}`,
  newest: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC ${LIMIT}`,
  oldest: `SELECT record FROM ${table} WHERE workspace = ? AND (at, id) > (?, ?) ORDER BY at, id ${LIMIT}`,
  // One look into the index for each subject, however many records have it.
  subjects: `WITH RECURSIVE listed (subject) AS (
      SELECT ?2 UNION ALL
      SELECT (SELECT min(subject) FROM ${table}_subjects
        WHERE workspace = ?1 AND subject > listed.subject AND subject < ?3) FROM listed WHERE subject IS NOT NULL
    ) SELECT subject FROM listed WHERE subject > ?2 ${LIMIT}4`,
  waiting: `SELECT workspace FROM ${table}_waiting WHERE since <= ? ORDER BY since ${LIMIT}`,
  due: `SELECT id, due_at FROM ${table} WHERE workspace = ? AND due_at <= ? ORDER BY due_at ${LIMIT}`,
  postpone: `UPDATE ${table} SET due_at = MAX(due_at, ?) WHERE workspace = ? AND id = ? AND due_at IS NOT NULL`,
});
