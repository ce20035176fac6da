/** Copies of one empty database: most tests need one, and creating its tables takes five times as long as copying them. */
import { writeFileSync } from 'node:fs';
import { Database } from '../../../src/storage/sqlite/connection.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';

let made: Uint8Array | undefined;

function emptyDatabase(): Uint8Array {
  made ??= openDatabase(':memory:').serialize();
  return made;
}

/** Opens an empty database in memory, as `openDatabase(':memory:')` does. */
export function databaseInMemory(): Database {
  const database = new Database(':memory:');
  database.deserialize(emptyDatabase());
  return database;
}

/** Writes an empty database to a file. @returns its path */
export function databaseFile(path: string): string {
  writeFileSync(path, emptyDatabase());
  return path;
}
