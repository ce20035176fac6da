/** The storage that the simulation plays on keeps the promises of the real ones. */
import { describe, expect, test } from 'vitest';
import { createLocks } from '../../../src/storage/locks.ts';
import { keyvContract } from '../../storage/contracts/keyv.contract.ts';
import { memberIndexContract } from '../../storage/contracts/member-index.contract.ts';
import { recordStoreContract } from '../../storage/contracts/record-store.contract.ts';
import { createMemoryIndex } from './memory-index.ts';
import { type Cells, openMemoryKeyv } from './memory-keyv.ts';
import { createMemoryLockTable } from './memory-locks.ts';
import { createMemoryRecords } from './memory-records.ts';

recordStoreContract('memory', async () => createMemoryRecords(Date.now));

keyvContract('memory', async () => {
  const cells: Cells = new Map();
  return (namespace) => openMemoryKeyv(cells, namespace, Date.now, async (_name, act) => act());
});

memberIndexContract('memory', async () => {
  const cells: Cells = new Map();
  return {
    indexed: (namespace) => ({
      values: openMemoryKeyv(cells, namespace, Date.now, async (_name, act) => act()),
      index: createMemoryIndex(new Map()),
    }),
  };
});

describe('a lock in memory', () => {
  test('is held by one at a time, and by the next one once its time is over', async () => {
    let now = 0;
    const table = createMemoryLockTable(() => now);
    expect(await table.take('a', 'one', 10)).toBe(true);
    expect(await table.take('a', 'other', 10)).toBe(false);
    expect(await table.take('b', 'other', 10)).toBe(true);
    now = 10;
    expect(await table.take('a', 'other', 10)).toBe(true);
    await table.release('a', 'one');
    expect(await table.take('a', 'one', 10)).toBe(false);
    await table.release('a', 'other');
    expect(await table.take('a', 'one', 10)).toBe(true);
  });

  test('lets those follow who wait', async () => {
    const locks = createLocks(createMemoryLockTable(Date.now));
    const patience = { ttlMs: 60_000, timeoutMs: 60_000 };
    const inside: string[] = [];
    const use = (who: string) =>
      locks.withLock('a', patience, async () => {
        inside.push(`${who} in`);
        await null;
        inside.push(`${who} out`);
      });
    await Promise.all([use('one'), use('other')]);
    expect(inside).toEqual(['one in', 'one out', 'other in', 'other out']);
  });
});
