/** Redis becomes a replica, as after a failover that the bot does not notice: it serves reads, and refuses writes. */

import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

describe('a Redis that takes no writes any more', () => {
  needsRedis(true);

  test('is told in the log once, however often it is tried, and in /readyz; then all goes on', async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    let sweeps = 0;
    const requests = (store: RequestStore): RequestStore => ({
      ...store,
      due: (limit) => {
        sweeps += 1;
        return store.due(limit);
      },
    });
    const env = redisEnvironment({ type: 'redis', url: redis.url, prefix: 'countermand' });
    const harness = await startHarness({
      env,
      overrides: { runner: { sweepMs: 50 }, storage: withRequests(requests) },
    });
    const operator = createRedisClient({ url: redis.url });
    await operator.connect();
    onTestFinished(() => operator.destroy());

    const before = harness.logged.text().length;
    await operator.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
    const readiness = async () => (await fetch(`${harness.url}/readyz`)).json();
    await expect.poll(readiness).toEqual({ status: 'not_ready', problems: ['storage'] });
    const from = sweeps;
    await expect.poll(() => sweeps).toBeGreaterThan(from + 30);
    const lines = harness.logged
      .text()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('READONLY'))
      .map((line) => JSON.parse(line))
      .map(({ level, msg, queue, err }) => JSON.stringify([level, msg, queue, err?.message]));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines).toEqual([...new Set(lines)]);

    await operator.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await expect.poll(readiness).toEqual({ status: 'ready' });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });
});
