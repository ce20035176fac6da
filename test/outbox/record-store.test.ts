import { expect, onTestFinished, test } from 'vitest';
import { listWorkspaces } from '../../src/outbox/record-store.ts';
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
