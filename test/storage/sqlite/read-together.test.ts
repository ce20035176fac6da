/** Tests that reads of one turn share their values, and that nobody is given an older value than they could have read. */

import { StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { readTogether } from '../../../src/storage/sqlite/connection.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry } from '../../support/requests/records.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

function counting(values: Record<string, string>) {
  const reads: string[] = [];
  const read = readTogether((key) => {
    reads.push(key);
    const value = values[key];
    if (value === undefined) throw new Error(`${key} can't be read`);
    return value;
  });
  return { read, reads, values };
}

test('a key is read once for all who ask in one turn', async () => {
  const { read, reads } = counting({ a: '1', b: '2' });
  expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual(['1', '2', '1']);
  expect(reads).toEqual(['a', 'b']);
});

test('what is written before the read begins is read by all who have asked', async () => {
  const { read, values } = counting({ a: 'old' });
  const first = read('a');
  values['a'] = 'new';
  expect(await Promise.all([first, read('a')])).toEqual(['new', 'new']);
});

test('whoever asks after the read is given a read of their own', async () => {
  const { read, values } = counting({ a: 'old' });
  expect(await read('a')).toBe('old');
  values['a'] = 'new';
  expect(await read('a')).toBe('new');
});

test('a write that ends in the same turn as a read is seen by the next one', async () => {
  const { read, values } = counting({ a: 'old' });
  const before = read('a');
  const after = nextTurn().then(() => {
    values['a'] = 'new';
    return read('a');
  });
  expect(await Promise.all([before, after])).toEqual(['old', 'new']);
});

test('an error reaches all who share the read, and no later one', async () => {
  const { read, values } = counting({});
  const results = await Promise.allSettled([read('a'), read('a')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  values['a'] = '1';
  expect(await read('a')).toBe('1');
});

test('a record is read once for all who ask in one turn', async () => {
  const database = databaseInMemory();
  onTestFinished(() => database.close());
  const store = createSqliteRecordStore(database, 'requests', RequestRecord);
  const entry = restingEntry(queued({ workspace: 'T1' }));
  await store.create(entry);
  const gets = vi.spyOn(StatementSync.prototype, 'get');
  onTestFinished(() => gets.mockRestore());
  const [one, other] = await Promise.all([store.get(entry.record), store.get(entry.record)]);
  // Each answer has its own time of the clock.
  expect([one?.record, gets.mock.calls.length]).toEqual([other?.record, 1]);
});
