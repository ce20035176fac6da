import { expect, test } from 'vitest';
import { SILENT } from '../../src/outbox/ports.ts';
import { Notice } from '../../src/requests/model/notices/notice.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import { createTellAdmins } from '../../src/workspaces/tell-admins.ts';
import { connected, createConnectionsHarness } from '../support/requests/connections-harness.ts';

/** T1, connected. */
async function setUp() {
  const harness = createConnectionsHarness();
  await connected(harness.deps);
  const { generation = '' } = (await harness.connections.find('T1')) ?? {};
  const notices = createSqliteRecordStore(harness.database, 'notices', Notice);
  const { ofUnsigned } = createTellAdmins({ ...harness.deps, notices, wake() {}, log: SILENT });
  const unsigned = () => ofUnsigned({ workspace: 'T1', generation, since: 1_000 });
  return { ...harness, unsigned, told: () => notices.count('T1') };
}

test('admins count as told once their notice survives a failover', async () => {
  const { unsigned, failOver, told } = await setUp();
  const end = failOver();
  await expect(unsigned()).rejects.toThrow(StorageUnavailableError);
  end();
  await unsigned();
  expect(await told()).toBe(1);
});

test('admins are not told of unsigned events of a former connection: the present one may have had none', async () => {
  const { unsigned, deps, told } = await setUp();
  await connected(deps);
  await unsigned();
  expect(await told()).toBe(0);
});
