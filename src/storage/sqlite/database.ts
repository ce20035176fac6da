/** Opens the SQLite database: the default storage, which needs nothing installed. */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { explained } from './errors.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { STEPS } from './schema.ts';

/** How long a write waits for another process (the terminal command) that is writing. */
export const BUSY_MS = 2_000;

/**
 * @param path of the file; it is made, with its folder, readable by the owner alone. `:memory:` keeps nothing
 * @throws DatabaseError, here and in every later use; where a newer version has written it
 */
export function openDatabase(path: string): Database {
  return explained(path, () => open(path));
}

function open(path: string): Database {
  const inMemory = path === ':memory:';
  if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new Database(path);
  if (!inMemory) chmodSync(path, 0o600);
  // A write that was answered for must survive a power cut: WAL commits are synced in full.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // What is removed is overwritten, too, in the file; scrub.ts sees to the log beside it.
  database.exec('PRAGMA secure_delete = ON;');
  migrate(database, path);
  return database;
}

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

/** The version of the schema. A newer one was written by a newer Countermand, which this one does not understand. */
const VERSION = STEPS.length;

/** All of the way or none of it, and once: the bot and a terminal command may open the same old file at once. */
function migrate(database: DatabaseSync, path: string): void {
  if (versionOf(database) === VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = versionOf(database);
    if (found > VERSION)
      throw new Error(`${path} was written by a newer version of Countermand: run that one.`);
    for (const step of STEPS.slice(found)) database.exec(step);
    database.exec(`PRAGMA user_version = ${VERSION}; COMMIT;`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const versionOf = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
