import { expect, onTestFinished, test } from 'vitest';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { createSample } from '../../src/metrics/sample.ts';
import { NOT_STORED } from '../../src/outbox/record-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import {
  CONNECTION_ID,
  type Connection,
  connectionEntry,
} from '../../src/workspaces/connection/connection.ts';

function setUp() {
  const opened = openSqliteStorage(':memory:');
  onTestFinished(opened.close);
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  const errors: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, message: string) => void errors.push(message),
  };
  /** Samples a storage of which a part is broken. @returns the gauge of a storage that takes writes */
  const sample = async (broken: Partial<typeof opened> = {}) => {
    const storage = { ...opened, ...broken };
    await createSample({ storage, metrics, monotonic: () => 0, tokens: undefined, log })();
    return (await metrics.storageWritable.get()).values[0]?.value;
  };
  return { sample, metrics, connections: opened.connections, requests: opened.requests, errors };
}

const fail = () => Promise.reject(new Error('It can not be read.'));

test('a storage that takes writes, but of which something can not be read, is writable, and the log says so', async () => {
  const { sample, requests, errors } = setUp();
  expect(await sample({ requests: { ...requests, workspaces: fail } })).toBe(1);
  expect(errors).toEqual(['gauges of the storage not set']);
});

test('a storage that takes no writes is left to readiness, which logs it', async () => {
  const { sample, errors } = setUp();
  expect(await sample({ ping: fail })).toBe(0);
  expect(await sample()).toBe(1);
  expect(errors).toEqual([]);
});

test('a workspace that was disconnected, and still has its events URL, has no token that is accepted', async () => {
  const { sample, metrics, connections } = setUp();
  const token = { generation: 'g', fingerprint: 'f' };
  const stored: Omit<Connection, 'workspace'> = {
    id: CONNECTION_ID,
    version: NOT_STORED,
    generation: 'g',
    tokenKind: 'rest',
    exclusive: true,
    endpoint: 'e',
    secrets: [{ sealed: 's' }],
    connectedBy: 'U1',
    connectedAt: 0,
  };
  await connections.create(connectionEntry({ ...stored, workspace: 'T1', token }));
  await connections.create(connectionEntry({ ...stored, workspace: 'T2' }));
  await sample();
  const { values } = await metrics.connections.get();
  expect(values.map(({ labels, value }) => [labels['state'], value])).toEqual([
    ['paused', 0],
    ['accepted', 1],
  ]);
});
