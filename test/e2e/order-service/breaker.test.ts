/** The circuit breaker: no calls for a while, an answer to agents at once, then the waiting requests in order. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RateLimiter } from '../../../src/outbox/ports.ts';
import { PROBED_MS } from '../../../src/storage/rate-limiter.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

const cancellations = ({ service }: Awaited<ReturnType<typeof startHarness>>) =>
  service.calls({ operation: 'cancel_order' }).map(({ id }) => id);

/** `othersHeldBack`: waits until so many requests have asked twice more for their turn, and have not got it. */
function observedLimiter() {
  const heldBack = new Map<string, number>();
  const limiter = (inner: RateLimiter): RateLimiter => ({
    ...inner,
    async take(bucket, who, yields) {
      const wait = await inner.take(bucket, who, yields);
      if (bucket.name === 'order service' && wait.ms > 0) heldBack.set(who, (heldBack.get(who) ?? 0) + 1);
      return wait;
    },
  });
  async function othersHeldBack(requests: number): Promise<void> {
    const before = new Map(heldBack);
    const twice = () => [...heldBack].filter(([who, times]) => times - (before.get(who) ?? 0) >= 2);
    await expect.poll(twice).toHaveLength(requests);
  }
  return { limiter, othersHeldBack };
}

/** `passPause`: advances the clock to the end of the pause, since whoever comes much later has lost their place. */
async function startWithShiftedClock() {
  const clock = shiftedClock();
  const { overrides } = clock.options;
  const { limiter, othersHeldBack } = observedLimiter();
  let pausesOf: RateLimiter['pauses'] = async () => [];
  const storage: typeof overrides.storage = (opened) => {
    const shifted = overrides.storage(opened);
    pausesOf = shifted.limiter.pauses;
    return { ...shifted, limiter: limiter(shifted.limiter) };
  };
  const harness = await startHarness({ ...clock.options, overrides: { ...overrides, storage } });
  async function passPause(): Promise<void> {
    const pauses = await pausesOf(SEED.team);
    clock.pass(Math.max(...pauses.map(({ ms }) => ms)));
  }
  return { ...harness, othersHeldBack, pass: clock.pass, passPause };
}

describe('an order service in trouble', () => {
  test('that asks to slow down is not asked by anybody meanwhile, and everybody is told at once', async () => {
    const harness = await startHarness();
    const fault = { type: 'rate_limit', retryAfterSeconds: 600 } as const;
    harness.service.faults.schedule({ on: 'cancel_order', fault });
    await harness.cancelOrder('A-1001');
    await harness.shows(
      'A-1001',
      /asked Countermand to slow down\. Nothing was received yet\. The request expires/,
    );
    await harness.cancelOrder('A-1002', { who: harness.ben });
    await harness.shows(
      'A-1002',
      /asked Countermand to slow down\. Nothing was received yet\. The request expires/,
    );
    expect(cancellations(harness)).toEqual(['A-1001']);
  });

  test('is called again once the pause is over, for each request once, in the order in which they wait', async () => {
    const harness = await startWithShiftedClock();
    const fault = { type: 'rate_limit', retryAfterSeconds: 30 } as const;
    harness.service.faults.schedule({ on: 'cancel_order', fault });
    await harness.cancelOrder('A-1001');
    await harness.shows('A-1001', /asked Countermand to slow down/);
    const waiting = ['A-1002', 'A-1003', 'A-1004'];
    for (const order of waiting) {
      await harness.cancelOrder(order);
      await harness.shows(order, /asked Countermand to slow down/);
    }
    await harness.passPause();
    for (const order of ['A-1001', ...waiting]) await harness.reply(order, /is cancelled/);
    const [first, ...others] = cancellations(harness);
    expect(first).toBe('A-1001');
    expect(others.filter((order) => order !== 'A-1001')).toEqual(waiting);
    expect(others).toHaveLength(4);
  });

  test('that cannot be reached is found again by itself', async () => {
    const harness = await startHarness();
    await harness.service.setReachable(false);
    await harness.cancelOrder('A-1001');
    await harness.shows('A-1001', /could not be reached\. Nothing was received yet/);
    await harness.cancelOrder('A-1002');
    await harness.shows(
      'A-1002',
      /(?:before this one have failed|could not be reached)\. Nothing was received yet/,
    );
    await harness.service.setReachable(true);
    for (const order of ['A-1001', 'A-1002']) await harness.reply(order, /is cancelled/);
    expect(cancellations(harness).toSorted()).toEqual(['A-1001', 'A-1002']);
  });

  test('that failed three times in a row gets one request after the pause, and the others once that is answered', async () => {
    const harness = await startWithShiftedClock();
    const { faults } = harness.service;
    faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' }, times: 3 });
    for (const order of ['A-1001', 'A-1002', 'A-1003']) {
      await harness.cancelOrder(order);
      await harness.reply(order, /may or may not/);
    }
    const held = faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
    for (const order of ['A-1004', 'A-1005', 'A-1006']) {
      await harness.cancelOrder(order);
      await harness.shows(order, /before this one have failed\. Nothing was received yet/);
    }
    await harness.passPause();
    await held.reached;
    await harness.othersHeldBack(2);
    expect(cancellations(harness)).toHaveLength(4);
    held.release();
    const [, , , probe = ''] = cancellations(harness);
    await harness.reply(probe, /is cancelled/);
    harness.pass(PROBED_MS);
    for (const order of ['A-1004', 'A-1005', 'A-1006']) await harness.reply(order, /is cancelled/);
    expect(cancellations(harness)).toHaveLength(6);
  });
});
