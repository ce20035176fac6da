import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { createRows, type IndexedStore, lockedRow } from '../../src/workspaces/rows.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

const STORAGES = {
  SQLite: async () => openSqliteStorage(join(temporaryFolder(), 'bot.db')),
  Redis: async () => openRedisStorage(await emptyRedis()),
};

const Row = z.object({ token: z.string() });

async function openRows(open: (typeof STORAGES)[keyof typeof STORAGES]) {
  const storage = await open();
  onTestFinished(storage.close);
  await storage.open({ debug() {}, info() {}, warn() {}, error() {} });
  const store = storage.indexed('rows');
  const over = (given: IndexedStore) =>
    createRows(given, {
      schema: Row,
      keysOf: ({ token }) => [`token ${token}`],
      withLock: lockedRow(storage.locks, 'row'),
    });
  return { store, over, rows: over(store) };
}

/** A store whose process ends before the nth of its writes. */
function cutShort({ values, index }: IndexedStore, nth: number): IndexedStore {
  let left = nth;
  const write = async <T>(act: () => Promise<T>): Promise<T> => {
    if (left === 0) throw new Error('cut short');
    left -= 1;
    return act();
  };
  const cutValues = Object.assign(Object.create(values), {
    set: (key: string, value: unknown) => write(() => values.set(key, value)),
    delete: (key: string) => write(() => values.delete(key)),
  });
  return {
    values: cutValues,
    index: {
      ...index,
      add: (...given) => write(() => index.add(...given)),
      keep: (...given) => write(() => index.keep(...given)),
    },
  };
}

describe.for(Object.entries(STORAGES))('rows in %s', ([, open]) => {
  test('are found by the keys that they have now', async () => {
    const { rows } = await openRows(open);
    await rows.put('T1', { token: 'a' });
    await rows.put('T2', { token: 'a' });
    expect(await rows.change('T1', () => ({ token: 'b' }))).toBe(true);
    expect(await Array.fromAsync(rows.having('token a'))).toEqual([{ id: 'T2', unreadable: false }]);
    expect(await Array.fromAsync(rows.having('token b'))).toEqual([{ id: 'T1', unreadable: false }]);
    expect(await rows.change('T1', () => undefined)).toBe(true);
    expect([await rows.get('T1'), await Array.fromAsync(rows.ids()), await rows.count()]).toEqual([
      undefined,
      ['T2'],
      1,
    ]);
  });

  test('that stay as they are are not written', async () => {
    const { store, over, rows } = await openRows(open);
    await rows.put('T1', { token: 'a' });
    expect(await over(cutShort(store, 0)).change('T1', (row) => row)).toBe(false);
  });

  test('are listed too often and never too little, wherever a write was cut short', async () => {
    const { store, over, rows } = await openRows(open);
    const [from, to] = [{ token: 'a' }, { token: 'b' }];
    for (const nth of [0, 1, 2]) {
      await rows.put('T1', from);
      await expect(over(cutShort(store, nth)).put('T1', to)).rejects.toThrow('cut short');
      const { token } = z.object({ token: z.string() }).parse(await rows.get('T1'));
      expect(await Array.fromAsync(rows.having(`token ${token}`))).toEqual([{ id: 'T1', unreadable: false }]);
      const other = token === 'a' ? 'b' : 'a';
      expect(await Array.fromAsync(rows.having(`token ${other}`))).toEqual([]);
      expect(await Array.fromAsync(rows.ids())).toEqual(['T1']);
    }
  });

  test('that were removed halfway are listed no more once that is done again', async () => {
    const { store, over, rows } = await openRows(open);
    await rows.put('T1', { token: 'a' });
    await expect(over(cutShort(store, 1)).forget('T1')).rejects.toThrow('cut short');
    expect([await rows.get('T1'), await Array.fromAsync(rows.having('token a'))]).toEqual([undefined, []]);
    await rows.change('T1', (row) => row);
    expect(await Array.fromAsync(rows.ids())).toEqual([]);
  });

  test('that cannot be read are named among those that may have a key, and can be forgotten', async () => {
    const { store, rows } = await openRows(open);
    await rows.put('T1', { token: 'a' });
    await store.values.set('T1', 'nonsense');
    expect(await Array.fromAsync(rows.having('token a'))).toEqual([{ id: 'T1', unreadable: true }]);
    await rows.forget('T1');
    expect([await Array.fromAsync(rows.ids('token a')), await rows.has('T1')]).toEqual([[], false]);
  });

  test('are changed one after the other, so that no change is lost', async () => {
    const { rows } = await openRows(open);
    await rows.put('T1', { token: '' });
    const append = (letter: string) => rows.change('T1', (row) => ({ token: `${row?.token}${letter}` }));
    await Promise.all([...'abcde'].map(append));
    expect([...((await rows.get('T1'))?.token ?? '')].sort().join('')).toBe('abcde');
  });

  test('are listed page by page, and others get their turn between two pages', async () => {
    const { store, rows } = await openRows(open);
    const ids = Array.from({ length: 250 }, (_, n) => `T${n}`).sort();
    for (const id of ids) await store.index.add(id, ['all']);
    let rounds = 0;
    let done = false;
    const count = () => {
      rounds += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    expect(await Array.fromAsync(rows.ids())).toEqual(ids);
    done = true;
    expect(rounds).toBeGreaterThanOrEqual(2);
  });
});
