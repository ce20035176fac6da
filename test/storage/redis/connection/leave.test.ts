/** A failover behind one address: the former primary lives on as a replica, and so do the connections to it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openQueues } from '../../../../src/jobs/queue.ts';
import { RUNTIME } from '../../../../src/runtime.ts';
import { deafProxy } from '../../../support/order-service/deaf-proxy.ts';
import { open, silent } from '../../../support/redis/open-storage.ts';
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

/** `failOver`: makes the other server the primary, to which the address then leads. */
async function setUp() {
  const [former, next] = [await own(), await own()];
  const proxy = await deafProxy(former.url);
  const client = await operator(former.url);
  return {
    storage: await open({ type: 'redis', url: proxy.url, prefix: 'test' }),
    async failOver() {
      await client.sendCommand(['REPLICAOF', '127.0.0.1', portOf(next.url)]);
      proxy.leadTo(next.url);
    },
  };
}

const REF = { workspace: 'T1', id: 'a' };

describe('after a failover behind one address', () => {
  test('the storage takes writes again', async () => {
    const { storage, failOver } = await setUp();
    await failOver();
    await expect(storage.ping()).rejects.toThrow(/^READONLY /);
    await eventually(() => storage.ping());
  });

  test('the queue hands out jobs again', async () => {
    const { storage, failOver } = await setUp();
    const { client, prefix } = storage.queue;
    const deps = { runtime: RUNTIME, about: () => ({}), due: async () => [REF], postpone: async () => {} };
    const options = { sweepMs: 100 };
    const runner = openQueues(client, prefix).createRunner({ ...deps, log: silent, options }, 'requests');
    const advance = vi.fn(async () => undefined);
    runner.start(advance);
    onTestFinished(() => runner.stop());
    await eventually(() => expect(advance).toHaveBeenCalled());
    await failOver();
    advance.mockClear();
    await eventually(() => expect(advance.mock.calls.length).toBeGreaterThan(5));
  });
});
