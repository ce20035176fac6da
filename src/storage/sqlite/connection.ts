/**
 * Connects to a SQLite file: compiles statements, commits together what is written in one turn of the event loop, reads together
 * what is asked for in one, and explains errors of the file, with their remedy, to readers of the terminal or the log.
 */
import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The time that a write waits for another process that is writing (a terminal command). */
export const BUSY_MS = 2_000;

/**
 * Stands in a statement in place of `LIMIT ?`. SQLite plans by the value of a bare parameter there, and so compiles the
 * statement anew for each use: that took two thirds of the time of a query (sqlite3ExprIsInteger in src/expr.c,
 * sqlite3Reprepare in src/vdbeapi.c). A number may follow, as in `${LIMIT}2`.
 */
export const LIMIT = 'LIMIT +?';

type Call = 'run' | 'get' | 'all';
export type Statement = { [C in Call]: (...values: SQLInputValue[]) => ReturnType<StatementSync[C]> };

/**
 * A write that waits for the next commit. `run` makes the write, and returns the function that tells its caller after the
 * commit. It throws if SQLite has rolled the whole transaction back.
 */
type Waiting = { run: () => () => void; fail: (error: unknown) => void };

/** A database that explains each error of its file, also long after the start, such as a full disk. */
export class Database extends DatabaseSync {
  readonly #begin = this.statement('BEGIN IMMEDIATE');
  readonly #commit = this.statement('COMMIT');
  readonly #undo = this.statement('ROLLBACK');
  #waiting: Waiting[] = [];

  constructor(path: string) {
    super(path, { timeout: BUSY_MS });
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

  /**
   * Runs `act`, which writes, within the next commit: one for all writes of a turn of the event loop, so that the disk is waited
   * for once. A commit that fails fails all of them. No other statement runs between its begin and its end, so nobody ever reads
   * what was not committed.
   *
   * @returns what `act` returned, once it is durable
   * @throws what `act` threw; the rest of the commit stands, unless SQLite has rolled it back
   */
  write<T>(act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ run: () => this.#runWithin(act, resolve, reject), fail: reject });
    });
  }

  /** Commits what still waits, and closes the database. */
  override close(): void {
    this.#flush();
    super.close();
  }

  #flush(): void {
    const together = this.#waiting;
    if (together.length === 0) return;
    this.#waiting = [];
    try {
      this.#begin.run();
      const tell = together.map(({ run }) => run());
      this.#commit.run();
      for (const each of tell) each();
    } catch (error) {
      for (const { fail } of together) fail(error);
      this.#rollBack();
    }
  }

  #runWithin<T>(act: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): () => void {
    try {
      const value = act();
      return () => resolve(value);
    } catch (error) {
      // A full disk ends the transaction as a whole (https://www.sqlite.org/lang_transaction.html, "Response To Errors").
      if (!this.isTransaction) throw error;
      return () => reject(error);
    }
  }

  #rollBack(): void {
    try {
      if (this.isTransaction) this.#undo.run();
    } catch {
      // The next begin fails while the transaction is open, fails all that waited for it, and comes here again.
    }
  }
}

/**
 * Reads together what is asked for in one turn of the event loop, and each key once. A read begins after the last caller
 * has asked, so nobody gets an older value than by a read of their own. Without this, each request would run from its first
 * byte to its answer before the next one begins, because SQLite answers at once, and would find the processor's caches filled
 * with the end of the former request: an event took 1.6 times the CPU time. Released together, all requests take their first
 * step before any of them takes its second.
 *
 * @returns `read`, delayed to the end of the turn; callers who ask for one key share its value, or its error
 */
export function readTogether<Key extends string[], T>(read: (...key: Key) => T): (...key: Key) => Promise<T> {
  let turn: Promise<void> | undefined;
  let asked = new Map<string, Promise<T>>();

  /** Ends the turn: whoever asks from now on may have seen a later write. */
  function end(): void {
    turn = undefined;
    asked = new Map();
  }

  return (...key) => {
    turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(end);
    const name = JSON.stringify(key);
    const reading = asked.get(name) ?? turn.then(() => read(...key));
    asked.set(name, reading);
    return reading;
  };
}

/** Carries SQLite's code, which distinguishes a conflict from a fault. */
export class DatabaseError extends Error {
  readonly errcode: unknown;

  constructor(path: string, problem: string, cause?: unknown) {
    super(`The database ${path} (STORAGE_URL) ${problem}`, { cause });
    this.errcode = errcodeOf(cause);
  }
}

/** @returns the code of an error of SQLite (https://www.sqlite.org/rescode.html); undefined for another error */
export const errcodeOf = (error: unknown): unknown =>
  error instanceof Error && 'errcode' in error ? error.errcode : undefined;

export const SQLITE_BUSY = 5;

const NOT_WRITABLE = 'cannot be written. Make the file and its folder writable for the user of this process.';
const DAMAGED =
  'is damaged, or is not a SQLite database. Restore a backup (docs/running.md, "Backup"), or set STORAGE_URL to another file.';
const DISK = 'could not be read or written. Check its disk and file system.';
const READ_ONLY =
  'is on a file system that is read-only. Make that writable (Linux sets it to read-only after an error of the disk), or set STORAGE_URL to a file elsewhere.';
const NO_PLACE = 'cannot be created. Set STORAGE_URL to a file in a folder that takes files.';
const NOT_OPENED =
  'cannot be opened. It must be a file, in a folder that the user of this process may enter.';

const MAY_BE_READ_ONLY: ReadonlySet<string> = new Set([DISK, NO_PLACE, NOT_OPENED]);

/** Problems by SQLite's primary code, the lowest eight bits (https://www.sqlite.org/rescode.html). */
const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [
    SQLITE_BUSY,
    'has been locked by another process for too long. End that process, for example an open sqlite3.',
  ],
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

/** Problems of the file system while the folder is created, or the rights of the file are set (node:os, "Error constants"). */
const FILE_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', NOT_WRITABLE],
  [
    'EPERM',
    'does not belong to the user of this process. Make that user the owner of the file and of its folder.',
  ],
  ['EROFS', READ_ONLY],
  ['ENOENT', NO_PLACE],
  ['ENOSPC', 'cannot be created because its disk is full. Free some space.'],
  ['ENOTDIR', 'cannot be created. A part of its path is a file, not a folder.'],
  ['EEXIST', 'cannot be created. The path of its folder is a file.'],
]);

/** @returns the result of `work` @throws DatabaseError in place of a known SQLite error */
export function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOf(error, path);
    throw problem === undefined ? error : new DatabaseError(path, problem, error);
  }
}

function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error) || error instanceof DatabaseError) return undefined;
  const errcode = errcodeOf(error);
  const code = 'code' in error ? error.code : undefined;
  const problem = typeof errcode === 'number' ? PROBLEMS.get(errcode & 0xff) : FILE_PROBLEMS.get(code);
  return problem && MAY_BE_READ_ONLY.has(problem) && isReadOnly(path) ? READ_ONLY : problem;
}

/** Asks the system: on a file system that is read-only, SQLite can't open `-wal`, and mkdir of Node says ENOENT. */
function isReadOnly(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    const code = codeOfAccess(at);
    if (code !== 'ENOENT') return code === 'EROFS';
  }
}

function codeOfAccess(path: string): unknown {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
