/** A Redis behind a sentinel dies in the middle of the work. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { FAILOVER, MASTER, startReplica, startWatched } from '../../support/redis/redis-sentinel.ts';

describe('behind a sentinel', () => {
  needsRedis(true);

  test('the master dies while a form is open: the next one has what was before, and takes what comes', async () => {
    const watched = await startWatched();
    const url = `redis+sentinel://${watched.sentinel}/${MASTER}`;
    const env = redisEnvironment({ type: 'redis', url, prefix: 'countermand' });
    const harness = await startHarness({ env, overrides: { runner: { sweepMs: 200 } } });
    const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();

    await watched.copied();
    await watched.toleratesSilence(60_000);
    await watched.master.kill();
    await expect.poll(readiness).toBe(503);
    const { outcome, modal } = await harness.ana.submit();
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toContain('Something went wrong in Countermand');
    await watched.toleratesSilence(1_000);
    await watched.promoted();
    await expect.poll(readiness, FAILOVER).toBe(200);

    await harness.ana.closeModal();
    // Nothing is taken before a replica has it: an operator adds one.
    expect((await harness.ana.submit()).outcome).toBe('pushed');
    expect(harness.service.calls({ orderId: 'A-1002' })).toEqual([]);
    await startReplica(watched.replica.url);
    await expect.poll(() => harness.service.calls({ orderId: 'A-1002' }), FAILOVER).toHaveLength(1);
    await harness.reply('A-1002', /is cancelled/);
    expect(harness.service.calls({ orderId: 'A-1001' })).toHaveLength(1);
    expect(harness.service.calls({ orderId: 'A-1002' })).toHaveLength(1);
    const known = await (await harness.terminal()).storage.requests.list(SEED.team, { limit: 10 });
    expect(known.map(({ target, state }) => [target, state])).toEqual([
      ['A-1002', 'canceled'],
      ['A-1001', 'canceled'],
    ]);
  });
});
