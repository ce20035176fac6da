/**
 * Commits together what waits in one turn of the event loop, so that the disk is waited for once. A write is answered only
 * after its commit, and a commit that fails fails all writes in it.
 */

/**
 * Runs `act`, which writes, within the next commit. No other statement runs between the commit's begin and its end, so nobody
 * ever reads what was not committed.
 *
 * @returns what `act` returned, once it is durable
 * @throws what `act` threw; the rest of the commit stands, unless SQLite has rolled it back
 */
export type GroupCommit = <T>(act: () => T) => Promise<T>;

/**
 * A write that waits for the next commit. `run` makes it, and returns what tells its caller, for after the commit. It throws
 * where SQLite has rolled the transaction back.
 */
type Waiting = { run: () => () => void; fail: (error: unknown) => void };

/** The database, as far as a commit needs it. */
type Transactions = { isTransaction: boolean; statement(sql: string): { run(): unknown } };

/** @returns the commit, and `flush`: commits at once what still waits */
export function createGroupCommit(database: Transactions): GroupCommit & { flush(): void } {
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

/** Explains an error of the SQLite file, with its remedy, to readers of the terminal or the log. */

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
const NOT_OPENED =
  'cannot be opened. It must be a file, in a folder that the user of this process may enter.';

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
export function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOf(error);
    throw problem === undefined ? error : new DatabaseError(path, problem, error);
  }
}

function problemOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof DatabaseError) return undefined;
  const errcode = errcodeOf(error);
  if (typeof errcode === 'number') return PROBLEMS.get(errcode & 0xff);
  return 'code' in error ? FILE_PROBLEMS.get(error.code) : undefined;
}
