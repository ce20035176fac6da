/** Opens the SQLite database, the default storage, which needs no installation. */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { RECORD_TYPES } from '../../outbox/record-store.ts';
import { mustServe, SCHEMA_VERSION } from '../storage-version.ts';
import { explained } from './errors.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { recordTable, SCHEMA } from './schema.ts';

/** The time that a write waits for another process that is writing (a terminal command). */
export const BUSY_MS = 2_000;

/**
 * @param path the path of the file; it is created with its folder, readable by the owner alone. `:memory:` stores
 *   nothing
 * @throws DatabaseError, here and on every later use; also if another version has written the file
 */
export function openDatabase(path: string): Database {
  return explained(path, () => open(path));
}

function open(path: string): Database {
  const inMemory = path === ':memory:';
  if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new Database(path);
  if (!inMemory) chmodSync(path, 0o600);
  // An acknowledged write must survive a power cut: WAL commits are fully synced.
  switchToWal(database);
  database.exec('PRAGMA synchronous = FULL;');
  // Overwrites removed data in the file; scrub.ts clears the log beside it.
  database.exec('PRAGMA secure_delete = ON;');
  createTables(database, path);
  return database;
}

const BUSY = 5;
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
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === BUSY;
      if (!isBusy || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/**
 * Stands in a statement in place of `LIMIT ?`. SQLite plans by the value of a bare parameter there, and so compiles the
 * statement anew for each use: that took two thirds of the time of a query (sqlite3ExprIsInteger in src/expr.c,
 * sqlite3Reprepare in src/vdbeapi.c).
 */
export const LIMIT = 'LIMIT +?';

/** Says what is wrong in words that name the file and a remedy, also when its disk is full a year from now. */
export class Database extends DatabaseSync {
  readonly write: GroupCommit;
  readonly #flush: () => void;

  constructor(path: string) {
    super(path, { timeout: BUSY_MS });
    const commit = createGroupCommit(this);
    this.write = commit;
    this.#flush = commit.flush;
  }

  /** Writes what still waits for its commit. */
  override close(): void {
    this.#flush();
    super.close();
  }

  override prepare(...given: Parameters<DatabaseSync['prepare']>): StatementSync {
    const path = this.location() ?? ':memory:';
    const statement = super.prepare(...given);
    const explain =
      <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
      (...args: Args): Result =>
        explained(path, () => call.apply(statement, args));
    return Object.assign(statement, {
      run: explain(statement.run),
      get: explain(statement.get),
      all: explain(statement.all),
    });
  }
}

/** SQLite's version of a file that nothing has set yet. */
const NEW = 0;

/** Creates the tables completely or not at all, and only once: the bot and a terminal command may open a new file at once. */
function createTables(database: DatabaseSync, path: string): void {
  if (isComplete(database)) {
    mustServe(path, versionOf(database));
    return;
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    if (versionOf(database) === NEW) database.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`);
    mustServe(path, versionOf(database));
    // A newer version adds tables, which an older one leaves alone.
    for (const table of missingTables(database)) database.exec(recordTable(table));
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const isComplete = (database: DatabaseSync): boolean =>
  versionOf(database) !== NEW && missingTables(database).length === 0;

function missingTables(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(rows.map(({ name }) => String(name)));
  return RECORD_TYPES.filter((type) => !names.has(type));
}

/** The oldest version that can work on the file, in the number that SQLite keeps for its users. */
export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
