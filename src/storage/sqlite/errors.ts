/** Explains errors of a database file and their remedies, for readers of the terminal or the log. */

/** Carries SQLite's code, which distinguishes a conflict from a fault. */
export class DatabaseError extends Error {
  readonly errcode: unknown;

  constructor(path: string, problem: string, cause: unknown) {
    super(`The database ${path} (STORAGE_URL) ${problem}`, { cause });
    this.errcode = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
  }
}

const NOT_WRITABLE =
  'can not be written: make the file and its folder writable for the user of this process.';
const DAMAGED =
  'is damaged, or is no SQLite database: put back a backup (docs/running.md, "Backup"), or name another file.';
const DISK = 'could not be read or written: look after the disk and the file system that it lies on.';
const NOT_OPENED =
  'can not be opened: it has to be a file, in a folder that the user of this process may enter.';

/** Problems by SQLite's primary code, the lowest eight bits (https://www.sqlite.org/rescode.html). */
const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [5, 'is in use by another process, for longer than is waited: end what holds it, an open sqlite3 perhaps.'],
  [8, NOT_WRITABLE],
  [10, DISK],
  [11, DAMAGED],
  [13, 'has no room left on its disk: make some. Nothing is lost meanwhile, and nothing is taken.'],
  [14, NOT_OPENED],
  [26, DAMAGED],
]);

/** Problems of the file system while the folder is created (node:os, "Error constants"). */
const FILE_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', NOT_WRITABLE],
  ['EPERM', NOT_WRITABLE],
  ['EROFS', NOT_WRITABLE],
  ['ENOSPC', 'has no room left on its disk: make some.'],
  ['ENOTDIR', 'can not be made: a part of its path is a file and no folder.'],
  ['EEXIST', 'can not be made: its folder is a file.'],
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
  if ('errcode' in error && typeof error.errcode === 'number') return PROBLEMS.get(error.errcode & 0xff);
  return 'code' in error ? FILE_PROBLEMS.get(error.code) : undefined;
}
