import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nothingMade } from '../../../src/requests/model/recent.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { sqliteStorage, sqliteStore, temporaryFolder } from '../../support/storage/stores.ts';
import { inAnyVersion, overwrite } from '../../support/storage/versions.ts';
import { conditionsContract } from '../contracts/conditions.contract.ts';
import { furtherContract } from '../contracts/further.contract.ts';
import { isolationContract } from '../contracts/isolation.contract.ts';
import { keyvContract } from '../contracts/keyv.contract.ts';
import { recordStoreContract } from '../contracts/record-store.contract.ts';

recordStoreContract('SQLite', async () => sqliteStore().store);
conditionsContract('SQLite', async () => sqliteStorage());
furtherContract('SQLite', async () => sqliteStorage());
keyvContract('SQLite', async () => sqliteStorage().keyv);

isolationContract('SQLite', async () => {
  const path = join(temporaryFolder(), 'bot.db');
  const storage = openSqliteStorage(path);
  onTestFinished(storage.close);
  return { storage, address: { type: 'sqlite', path } };
});

test('a page of a list lets others have their turn', async () => {
  const { store } = sqliteStore();
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await store.list('T1', { limit: 1 });
  expect(hadTurn).toBe(true);
});

describe('the SQLite file', () => {
  test('is readable by its owner alone, and synced in full', () => {
    const path = join(temporaryFolder(), 'deep', 'bot.db');
    const database = openDatabase(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'keeps its rights where it is a device',
    ({ skip }) => {
      // Like /dev/null, which the whole machine needs.
      const path = join(temporaryFolder(), 'null');
      const { status } = spawnSync('mknod', ['-m', '666', path, 'c', '1', '3']);
      skip(status !== 0, 'root may make no devices here');
      expect(() => openDatabase(path)).toThrow();
      expect(statSync(path).mode & 0o777).toBe(0o666);
    },
  );

  test('keeps its records when it is opened again', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const first = openDatabase(path);
    await createSqliteRecordStore(first, 'requests', RequestRecord).create(restingEntry(queued()));
    first.close();
    const second = openDatabase(path);
    expect((await createSqliteRecordStore(second, 'requests', RequestRecord).get(queued()))?.record).toEqual(
      inAnyVersion(queued()),
    );
    second.close();
  });

  /** The raw bytes of the file and of the log beside it. */
  const bytesOf = (path: string) =>
    [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join();

  async function withRemoved() {
    const path = join(temporaryFolder(), 'bot.db');
    const storage = openSqliteStorage(path);
    onTestFinished(async () => storage.close().catch(() => {}));
    const settings = storage.keyv('settings');
    for (const id of ['REMOVED-1', 'REMOVED-2', 'KEPT']) {
      // Long enough to need pages of its own.
      const record = queued({ id, target: id, reason: id.repeat(1_000) });
      await storage.requests.create({ ...restingEntry(record), subjects: [id] });
      await settings.set(id, id);
    }
    for (const id of ['REMOVED-1', 'REMOVED-2']) {
      await storage.requests.remove({ workspace: 'T1', id });
      await settings.delete(id);
    }
    return { path, storage };
  }

  test('holds nothing of what was removed once it is closed', async () => {
    const { path, storage } = await withRemoved();
    await storage.close();
    expect(bytesOf(path)).toContain('KEPT');
    expect(bytesOf(path)).not.toContain('REMOVED');
  });

  test('holds nothing of what was removed once it is scrubbed, while it is open', async () => {
    const { path, storage } = await withRemoved();
    expect(bytesOf(path)).toContain('REMOVED-1');
    await storage.scrub();
    expect(bytesOf(path)).toContain('KEPT');
    expect(bytesOf(path)).not.toContain('REMOVED');
    expect(await storage.keyv('settings').get('KEPT')).toBe('KEPT');
  });

  test('is scrubbed once nobody reads it any more, in this process or in another one', async () => {
    const { path, storage } = await withRemoved();
    const list = storage.keyv('settings').iterator?.('settings');
    await list?.next();
    const backup = new DatabaseSync(path);
    backup.exec('BEGIN; SELECT * FROM requests;');
    const scrubbed = storage.scrub();
    await storage.keyv('settings').set('KEPT', 'STILL WRITTEN');
    await list?.return(undefined);
    backup.close();
    await scrubbed;
    expect(bytesOf(path)).toContain('STILL WRITTEN');
    expect(bytesOf(path)).not.toContain('REMOVED');
  });

  test('keeps no record whose further records cannot be written', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const storage = openSqliteStorage(path);
    onTestFinished(storage.close);
    const other = new DatabaseSync(path);
    other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON recent_requests WHEN NEW.id = 'U2'
      BEGIN SELECT RAISE(FAIL, 'refused'); END`);
    other.close();
    const further = ['U1', 'U2'].map((person) => ({
      type: 'recent_requests' as const,
      entry: { record: nothingMade('T1', person), subjects: [], at: 1, dueAt: undefined },
    }));
    const beside = queued({ id: 'beside', target: 'B' });
    const [failed, written] = await Promise.allSettled([
      storage.requests.create(restingEntry(queued()), [], further),
      storage.requests.create(restingEntry(beside)),
    ]);
    expect([failed.status, written.status]).toEqual(['rejected', 'fulfilled']);
    expect(await storage.requests.list('T1', { limit: 10 })).toEqual([inAnyVersion(beside)]);
    expect(await storage.recentRequests.count('T1')).toBe(0);
  });

  test('fails every read and write once it is closed, rather than look empty', async () => {
    const storage = openSqliteStorage(join(temporaryFolder(), 'bot.db'));
    const keyv = storage.keyv('connections');
    await storage.close();
    await expect(storage.ping()).rejects.toThrow();
    await expect(storage.requests.get(queued())).rejects.toThrow();
    await expect(keyv.get('T1')).rejects.toThrow();
    await expect(keyv.set('T1', 1)).rejects.toThrow();
    await expect(keyv.delete('T1')).rejects.toThrow();
  });
});

describe('the lists of subjects in SQLite', () => {
  test('are not written again where they stay as they are', async () => {
    const { database, store } = sqliteStore();
    await store.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    const rowsWritten = async (...subjects: string[]) => {
      const total = () => Number(database.prepare('SELECT total_changes() AS n').get()?.['n']);
      const [before, read] = [total(), await store.get(queued())];
      await store.update({ ...restingEntry(queued()), subjects }, read?.record.version ?? 0);
      return total() - before;
    };
    expect(await rowsWritten('b', 'a', 'b')).toBe(1);
    expect(await rowsWritten('b')).toBeGreaterThan(1);
  });

  test('are gone with the record', async () => {
    const { database, store } = sqliteStore();
    await store.create({ ...restingEntry(queued()), subjects: ['a', 'b'] });
    await store.remove(queued());
    expect(database.prepare('SELECT * FROM requests_subjects').all()).toEqual([]);
  });
});

describe('a database that this version does not understand', () => {
  test('is left alone', () => {
    const path = join(temporaryFolder(), 'bot.db');
    const database = openDatabase(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(() => openDatabase(path)).toThrow('newer version of Countermand');
    const untouched = new DatabaseSync(path);
    expect(untouched.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    untouched.close();
  });

  test('keeps the fields that a newer version has written into a record', async () => {
    const { database, store } = sqliteStore();
    await store.create(restingEntry(queued()));
    const created = (await store.get(queued()))?.record ?? queued();
    const newer = JSON.stringify({ ...created, votes: [1] });
    database.prepare('UPDATE requests SET record = ?').run(newer);
    const record = (await store.get(queued()))?.record ?? queued();
    await overwrite(store, restingEntry({ ...record, reason: 'x' }));
    expect((await store.get(queued()))?.record).toMatchObject({ votes: [1], reason: 'x' });
  });
});

describe('two connections to one new file, each in a thread of its own', () => {
  test('never both write the same version', async () => {
    const path = join(temporaryFolder(), 'bot.db');
    const racer = join(import.meta.dirname, '../../support/storage/sqlite-racer.ts');
    const workers = [1, 2].map(
      () =>
        new Worker(racer, {
          workerData: { path, entry: restingEntry(queued({ reason: '0' })), writes: 200 },
        }),
    );
    const won = await Promise.all(workers.map(async (worker) => Number((await once(worker, 'message'))[0])));
    const database = openDatabase(path);
    const store = createSqliteRecordStore(database, 'requests', RequestRecord);
    const last = (await store.get(queued()))?.record;
    expect(Number(last?.reason)).toBe((won[0] ?? 0) + (won[1] ?? 0));
    const subjects = database.prepare('SELECT subject FROM requests_subjects').all();
    expect(subjects.map(({ subject }) => subject).sort()).toEqual([last?.reason, 'order'].sort());
    database.close();
  });
});
