/** Redis holds as much as it may (`maxmemory`): it refuses what would take memory, and permits removals. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { recordOf } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';

const DAY = 86_400_000;

describe('a full Redis', () => {
  needsRedis(true);

  test('is rid of old requests by a bot that was restarted on it, which then works on', async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const operator = createRedisClient({ url: redis.url });
    await operator.connect();
    onTestFinished(() => operator.destroy());
    const { options, pass } = shiftedClock();
    const retention = { firstMs: 10, everyMs: 3_600_000, claimMs: 60_000 };
    const overrides = { ...options.overrides, retention };
    const env = redisEnvironment({ type: 'redis', url: redis.url, prefix: 'countermand' });
    const harness = await startHarness({ ...options, overrides, env: { ...env, RETENTION_DAYS: '2' } });
    const { storage } = await harness.terminal();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await expect.poll(() => storage.requests.due(10)).toEqual([]);

    await harness.restart(overrides, async () => {
      pass(3 * DAY);
      await operator.configSet('maxmemory', '1');
    });
    await expect(storage.ping()).rejects.toThrow('OOM');
    await expect.poll(() => recordOf(storage, 'A-1001').catch(() => 'gone')).toBe('gone');
    await operator.configSet('maxmemory', '0');
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
  });
});
