/** The simulated storage passes the contract suites of the real ones. */
import { describe, expect, test } from 'vitest';
import { createLocks } from '../../../src/storage/locks.ts';
import { conditionsContract } from '../../storage/contracts/conditions.contract.ts';
import { furtherContract } from '../../storage/contracts/further.contract.ts';
import { keyvContract } from '../../storage/contracts/keyv.contract.ts';
import { memberIndexContract } from '../../storage/contracts/member-index.contract.ts';
import { recordStoreContract } from '../../storage/contracts/record-store.contract.ts';
import { createMemoryIndex } from './memory-index.ts';
import { type Cells, openMemoryKeyv } from './memory-keyv.ts';
import { createMemoryLockTable } from './memory-locks.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createStored } from './stored.ts';

recordStoreContract('memory', async () => createMemoryRecords(Date.now));

conditionsContract('memory', async () => createStored(Date.now, () => {}));
furtherContract('memory', async () => createStored(Date.now, () => {}));

keyvContract('memory', async () => {
  const cells: Cells = new Map();
  return (namespace) => openMemoryKeyv(cells, namespace, Date.now, async (_name, run) => run());
});

memberIndexContract('memory', async () => {
  const cells: Cells = new Map();
  return {
    indexed: (namespace) => ({
      values: openMemoryKeyv(cells, namespace, Date.now, async (_name, run) => run()),
      index: createMemoryIndex(new Map()),
    }),
  };
});

describe('a lock in memory', () => {
  test('has one owner at a time, and the next one once it has expired', async () => {
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

  test('is handed to those who wait', async () => {
    const locks = createLocks(createMemoryLockTable(Date.now));
    const options = { ttlMs: 60_000, timeoutMs: 60_000 };
    const inside: string[] = [];
    const use = (who: string) =>
      locks.withLock('a', options, async () => {
        inside.push(`${who} in`);
        await null;
        inside.push(`${who} out`);
      });
    await Promise.all([use('one'), use('other')]);
    expect(inside).toEqual(['one in', 'one out', 'other in', 'other out']);
  });
});
