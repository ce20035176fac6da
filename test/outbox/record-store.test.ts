import { expect, onTestFinished, test } from 'vitest';
import { type Condition, listWorkspaces, NOT_STORED, writeRecord } from '../../src/outbox/record-store.ts';
import { RequestRecord } from '../../src/requests/model/record.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { queued, restingEntry, T0 } from '../support/requests/records.ts';
import { databaseInMemory } from '../support/storage/empty-database.ts';

test('all workspaces are listed, each once, also where one page does not hold them', async () => {
  const database = databaseInMemory();
  onTestFinished(() => database.close());
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => T0);
  const workspaces = Array.from({ length: 450 }, (_, n) => `T${1_000 + n}`);
  for (const workspace of workspaces) await store.create(restingEntry(queued({ workspace }, T0)));
  const listed: string[] = [];
  for await (const workspace of listWorkspaces(store)) {
    listed.push(workspace);
    if (listed.length > workspaces.length) break;
  }
  expect(listed).toEqual(workspaces);
});

test('a record is written anew or over the version that was read, unless somebody else has written or a condition does not hold', async () => {
  const database = databaseInMemory();
  onTestFinished(() => database.close());
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => T0);
  const unmet: Condition[] = [{ type: 'requests', id: 'nothing', version: 1 }];
  const write = (version: number, conditions: Condition[] = []) =>
    writeRecord(store, restingEntry({ ...queued(), version }), conditions);
  expect(await write(NOT_STORED, unmet)).toEqual({ type: 'unmet' });
  const created = await write(NOT_STORED);
  expect(created).toEqual({ type: 'written', version: expect.any(Number) });
  expect(await write(NOT_STORED)).toEqual({ type: 'conflict' });
  const version = 'version' in created ? created.version : NOT_STORED;
  expect(await write(version, unmet)).toEqual({ type: 'unmet' });
  expect(await write(version)).toEqual({ type: 'written', version: expect.any(Number) });
  expect(await write(version)).toEqual({ type: 'conflict' });
});
