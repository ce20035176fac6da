/** Storage for tests: the real thing, in a file of its own or in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { databaseFile } from './empty-database.ts';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All of SQLite's storage, in a file of its own. */
export function sqliteStorage() {
  const storage = openSqliteStorage(databaseFile(join(temporaryFolder(), 'bot.db')));
  onTestFinished(storage.close);
  return storage;
}

export function sqliteStore(clock?: () => number) {
  const database = openDatabase(databaseFile(join(temporaryFolder(), 'test.db')));
  onTestFinished(() => database.close());
  return { database, store: createSqliteRecordStore(database, 'requests', RequestRecord, clock) };
}
