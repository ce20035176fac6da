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
