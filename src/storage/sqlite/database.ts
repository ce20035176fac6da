/**
 * Opens the SQLite database, the default storage, which needs no installation. What waits in one turn of the event loop is
 * committed together. An error of the file is explained, with its remedy, for readers of the terminal or the log.
 */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { RECORD_TYPES } from '../../outbox/record-store.ts';
import { mustServe, SCHEMA_VERSION } from '../storage-version.ts';
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

/** A file of another program is left as it is. @throws DatabaseError */
function mustBeOurs(database: DatabaseSync, path: string): void {
  const tables = tablesOf(database);
  if (tables.size === 0 || tables.has('requests')) return;
  database.close();
  throw new DatabaseError(
    path,
    'belongs to another program. Set STORAGE_URL to a file of its own.',
    undefined,
  );
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

type Call = 'run' | 'get' | 'all';
export type Statement = { [C in Call]: (...values: SQLInputValue[]) => ReturnType<StatementSync[C]> };

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

  /** @returns a statement that SQLite compiles when it first runs: at a start, compiling all of them would take longest */
  statement(sql: string): Statement {
    const path = this.location() ?? ':memory:';
    let compiled: StatementSync | undefined;
    const explain =
      <Result>(call: (statement: StatementSync, values: SQLInputValue[]) => Result) =>
      (...values: SQLInputValue[]): Result =>
        explained(path, () => {
          compiled ??= this.prepare(sql);
          return call(compiled, values);
        });
    return {
      run: explain((statement, values) => statement.run(...values)),
      get: explain((statement, values) => statement.get(...values)),
      all: explain((statement, values) => statement.all(...values)),
    };
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
 * Runs what writes within the next commit. No other statement runs between its begin and its end, so nobody ever reads
 * what was not committed.
 *
 * @returns what `act` returned, once it is durable
 * @throws what `act` threw; the rest of the commit stands, unless SQLite has rolled it back
 */
type GroupCommit = <T>(act: () => T) => Promise<T>;

/** `run` returns what tells the caller once the commit stands, and throws where the transaction is gone. */
type Waiting = { run: () => () => void; fail: (error: unknown) => void };

/**
 * The disk is waited for once for all that waits in one turn of the event loop. A write is answered only after its commit,
 * and one that fails fails all that waited for it.
 */
function createGroupCommit(database: Database): GroupCommit & { flush(): void } {
  const begin = database.statement('BEGIN IMMEDIATE');
  const end = database.statement('COMMIT');
  const undo = database.statement('ROLLBACK');
  let waiting: Waiting[] = [];

  function flush(): void {
    const together = waiting;
    if (together.length === 0) return;
    waiting = [];
    try {
      begin.run();
      const tell = together.map(({ run }) => run());
      end.run();
      for (const each of tell) each();
    } catch (error) {
      for (const { fail } of together) fail(error);
      rollBack();
    }
  }

  function rollBack(): void {
    try {
      if (database.isTransaction) undo.run();
    } catch {
      // The next begin fails while the transaction is open, fails all that waited for it, and comes here again.
    }
  }

  function runWithin<T>(act: () => T, resolve: (value: T) => void, reject: (error: unknown) => void) {
    try {
      const value = act();
      return () => resolve(value);
    } catch (error) {
      // A full disk ends the transaction as a whole (https://www.sqlite.org/lang_transaction.html, "Response To Errors").
      if (!database.isTransaction) throw error;
      return () => reject(error);
    }
  }

  const write: GroupCommit = (act) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ run: () => runWithin(act, resolve, reject), fail: reject });
    });
  return Object.assign(write, { flush });
}

/** Carries SQLite's code, which distinguishes a conflict from a fault. */
export class DatabaseError extends Error {
  readonly errcode: unknown;

  constructor(path: string, problem: string, cause: unknown) {
    super(`The database ${path} (STORAGE_URL) ${problem}`, { cause });
    this.errcode = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
  }
}

const NOT_WRITABLE = 'cannot be written. Make the file and its folder writable for the user of this process.';
const DAMAGED =
  'is damaged, or is not a SQLite database. Restore a backup (docs/running.md, "Backup"), or set STORAGE_URL to another file.';
const DISK = 'could not be read or written. Check its disk and file system.';
const NOT_OPENED =
  'cannot be opened. It must be a file, in a folder that the user of this process may enter.';

/** Problems by SQLite's primary code, the lowest eight bits (https://www.sqlite.org/rescode.html). */
const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [5, 'has been locked by another process for too long. End that process, for example an open sqlite3.'],
  [8, NOT_WRITABLE],
  [10, DISK],
  [11, DAMAGED],
  [
    13,
    'cannot be written because its disk is full. Free some space. Nothing is lost, and nothing new is accepted until then.',
  ],
  [14, NOT_OPENED],
  [26, DAMAGED],
]);

/** Problems of the file system while the folder is created (node:os, "Error constants"). */
const FILE_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', NOT_WRITABLE],
  ['EPERM', NOT_WRITABLE],
  ['EROFS', NOT_WRITABLE],
  ['ENOSPC', 'cannot be created because its disk is full. Free some space.'],
  ['ENOTDIR', 'cannot be created. A part of its path is a file, not a folder.'],
  ['EEXIST', 'cannot be created. The path of its folder is a file.'],
]);

/** @returns the result of `work` @throws DatabaseError in place of a known SQLite error */
function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOf(error);
    throw problem === undefined ? error : new DatabaseError(path, problem, error);
  }
}

function problemOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof DatabaseError) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return PROBLEMS.get(error.errcode & 0xff);
  return 'code' in error ? FILE_PROBLEMS.get(error.code) : undefined;
}
