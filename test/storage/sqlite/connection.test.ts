import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

/** A database with a table of its own, and a second connection that sees what is committed. */
function opened() {
  const path = join(temporaryFolder(), 'group.db');
  const database = openDatabase(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  database.exec('CREATE TABLE kept (id TEXT PRIMARY KEY)');
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  const insert = database.prepare('INSERT INTO kept (id) VALUES (?)');
  return {
    database,
    other,
    keep: (id: string) => database.write(() => Number(insert.run(id).changes)),
    kept: () =>
      other
        .prepare('SELECT id FROM kept ORDER BY id')
        .all()
        .map(({ id }) => id),
    /** Changes with each commit of another connection (https://www.sqlite.org/pragma.html#pragma_data_version). */
    commits: () => Number(other.prepare('PRAGMA data_version').get()?.['data_version']),
  };
}

/** A commit that SQLite refuses: a reference to nothing is looked at when the transaction ends. */
function withDeferredReference(database: DatabaseSync): () => void {
  database.exec(`PRAGMA foreign_keys = ON;
    CREATE TABLE refers (id TEXT REFERENCES kept (id) DEFERRABLE INITIALLY DEFERRED)`);
  const insert = database.prepare("INSERT INTO refers (id) VALUES ('nothing')");
  return () => void insert.run();
}

describe('what waits in one turn', () => {
  test('is committed together, and answered once another connection can see it', async () => {
    const { keep, kept, commits } = opened();
    const before = commits();
    const seen = await Promise.all(['a', 'b', 'c'].map((id) => keep(id).then(() => kept())));
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect(commits()).toBe(before + 1);
  });

  test('fails as a whole where the commit fails, and what comes later does not', async () => {
    const { database, keep, kept } = opened();
    const refer = withDeferredReference(database);
    const results = await Promise.allSettled([keep('a'), database.write(refer), keep('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(kept()).toEqual([]);
    await keep('c');
    expect(kept()).toEqual(['c']);
  });

  test('fails as a whole where another process is writing, and says so', async () => {
    const { database, other, keep, kept } = opened();
    database.exec('PRAGMA busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled([keep('a'), keep('b')]);
    other.exec('COMMIT');
    const busy = expect.objectContaining({ message: expect.stringContaining('locked by another process') });
    expect(results).toEqual([
      { status: 'rejected', reason: busy },
      { status: 'rejected', reason: busy },
    ]);
    expect(kept()).toEqual([]);
  });

  test('stands beside a write that is refused', async () => {
    const { keep, kept } = opened();
    const results = await Promise.allSettled([keep('a'), keep('a'), keep('b')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(kept()).toEqual(['a', 'b']);
  });

  test('is written before the database is closed', async () => {
    const { database, keep, kept } = opened();
    const written = keep('a');
    database.close();
    await written;
    expect(kept()).toEqual(['a']);
  });
});
