/** A failover behind one address: the former primary lives on as a replica, and so do the connections to it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openQueues } from '../../../../src/jobs/queue.ts';
import { SILENT } from '../../../../src/outbox/ports.ts';
import { RUNTIME } from '../../../../src/runtime.ts';
import {
  createQueueClient,
  createRedisConnection,
} from '../../../../src/storage/redis/connection/connection.ts';
import { deafProxy } from '../../../support/redis/deaf-proxy.ts';
import { open } from '../../../support/redis/open-storage.ts';
import { needsRedis } from '../../../support/redis/redis.ts';
import { operator, portOf } from '../../../support/redis/redis-sentinel.ts';
import { startRedisServer } from '../../../support/redis/redis-server.ts';
import { eventually } from '../../../support/time/eventually.ts';

needsRedis(true);

async function own() {
  const server = await startRedisServer();
  onTestFinished(server.stop);
  return server;
}

/**
 * `failOver`: makes the other server the primary, to which the address then leads. `demote`: only makes the first one a replica,
 * of a primary that does not exist.
 */
async function setUp() {
  const [former, next] = [await own(), await own()];
  const proxy = await deafProxy(former.url);
  const client = await operator(former.url);
  const follow = (port: string) => client.sendCommand(['REPLICAOF', '127.0.0.1', port]);
  return {
    url: proxy.url,
    former: client,
    next,
    proxy,
    demote: () => follow('1'),
    async failOver() {
      await follow(portOf(next.url));
      proxy.leadTo(next.url);
    },
  };
}

const storageAt = (url: string) => open({ type: 'redis', url, prefix: 'test' });

const REF = { workspace: 'T1', id: 'a' };

describe('after a failover behind one address', () => {
  test('the storage takes writes again', async () => {
    const { url, failOver } = await setUp();
    const storage = await storageAt(url);
    await failOver();
    await expect(storage.ping()).rejects.toThrow(/^READONLY /);
    await eventually(() => storage.ping());
  });

  test('the queue hands out jobs again', async () => {
    const { url, failOver } = await setUp();
    const { client, prefix } = (await storageAt(url)).queue;
    const deps = { runtime: RUNTIME, about: () => ({}), due: async () => [REF], postpone: async () => {} };
    const options = { sweepMs: 100 };
    const runner = openQueues(client, prefix).createRunner({ ...deps, log: SILENT, options }, 'requests');
    const advance = vi.fn(async () => undefined);
    runner.start(advance);
    onTestFinished(() => runner.stop());
    await eventually(() => expect(advance).toHaveBeenCalled());
    await failOver();
    advance.mockClear();
    await eventually(() => expect(advance.mock.calls.length).toBeGreaterThan(5));
  });

  test('what waits for jobs leaves the former primary, too', async () => {
    const { url, failOver } = await setUp();
    const client = createQueueClient(url).duplicate();
    client.on('error', () => {});
    onTestFinished(() => client.destroy());
    await client.connect();
    await failOver();
    await expect(client.set('a', '1')).rejects.toThrow(/^READONLY /);
    await eventually(() => client.set('a', '1'));
  });

  test('so does a storage whose former server answers nothing for lack of a primary', async () => {
    const { url, former, demote, proxy, next } = await setUp();
    const storage = await storageAt(url);
    await former.sendCommand(['CONFIG', 'SET', 'replica-serve-stale-data', 'no']);
    await demote();
    proxy.leadTo(next.url);
    await expect(storage.ping()).rejects.toThrow(/^MASTERDOWN /);
    await eventually(() => storage.ping());
  });
});

test('a server that stays a replica is not connected to for each refusal', async () => {
  const { url, demote } = await setUp();
  const connection = createRedisConnection(url);
  await connection.open(SILENT);
  onTestFinished(connection.close);
  await demote();
  const since = performance.now();
  let refusals = 0;
  await eventually(async () => {
    await connection
      .read((client) => client.set('a', '1'))
      .catch(({ message }) => {
        if (message.startsWith('READONLY ')) refusals += 1;
      });
    expect(refusals).toBeGreaterThan(20);
  });
  // The first one, and one for each second since.
  const seconds = (performance.now() - since) / 1_000;
  expect(connection.connectionCount()).toBeLessThanOrEqual(3 + seconds);
});
