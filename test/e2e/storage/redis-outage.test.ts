/** Redis goes away in the middle of the work, is paused, and comes back. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { mustBeAFault, startWithItsRedis } from '../../support/e2e/redis-outage.ts';
import { redisEnvironment } from '../../support/e2e/storage.ts';
import { deafProxy } from '../../support/redis/deaf-proxy.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { withRequests } from '../../support/storage/with-requests.ts';

const calls = (harness: Pick<Harness, 'service'>) =>
  harness.service.calls({ operation: 'cancel_order' }).length;

const requestsOf = async (harness: Pick<Harness, 'terminal'>) =>
  (await harness.terminal()).storage.requests.list(SEED.team, { limit: 10 });

describe('with its Redis', () => {
  needsRedis(true);

  test('killed before a form is sent, no request is created, the person reads a sentence, and sends it again', async () => {
    const harness = await startWithItsRedis('killed');
    await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.away();
    const { outcome, modal } = await harness.ana.submit();
    expect(outcome).toBe('pushed');
    mustBeAFault(harness, modal?.view);
    expect(await harness.readiness()).toBe(503);
    await harness.back();
    expect(await requestsOf(harness)).toEqual([]);
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
    expect(calls(harness)).toBe(1);
  });

  test.each(['killed', 'paused'] as const)(
    '%s while a request is being written, nothing is sent, not even later',
    async (way) => {
      const harness = await startWithItsRedis(way, { at: 'create' });
      await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
      await harness.ana.waitForModal();
      harness.arm();
      const { outcome, modal } = await harness.ana.submit();
      expect(outcome).toBe('pushed');
      mustBeAFault(harness, modal?.view);
      await harness.back();
      expect(await requestsOf(harness)).toEqual([]);
      expect(harness.slack.messages('#support')).toEqual([]);
      await harness.ana.closeModal();
      expect((await harness.ana.submit()).outcome).toBe('closed');
      await harness.reply('A-1001', /is cancelled/);
      expect(calls(harness)).toBe(1);
    },
  );

  test('killed, every command is answered with a sentence', async () => {
    const harness = await startWithItsRedis('killed');
    await harness.away();
    await harness.ana.command('/countermand status A-1001', { channel: '#support' });
    const { text } = await harness.ana.waitForEphemeral();
    mustBeAFault(harness, text);
    await harness.back();
  });

  test('killed while the workspace is being connected, the admin reads a sentence, and connects it again', async () => {
    const harness = await startWithItsRedis('killed', { connected: false });
    const held = harness.service.faults.schedule({
      on: 'get_sub_brands',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.openConnect();
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest });
    await held.reached;
    await harness.away();
    held.release();
    const { view } = await harness.olga.waitForModal({ text: 'went wrong' });
    mustBeAFault(harness, view);
    await harness.olga.closeModal();
    await harness.back();
    expect(await (await harness.terminal()).connections.find(SEED.team)).toBeUndefined();
    await harness.connect();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('killed, a change of the settings is refused with a sentence, and never made later', async () => {
    const harness = await startWithItsRedis('killed');
    await harness.olga.command('/countermand settings', { channel: '#support' });
    await harness.olga.waitForModal({ callback: 'settings' });
    await harness.away();
    const { outcome, modal } = await harness.olga.submit({ order_id_pattern: 'B-####' });
    expect(outcome).toBe('pushed');
    mustBeAFault(harness, modal?.view);
    await harness.back();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });

  test.each(['killed', 'paused'] as const)(
    '%s, an event is answered 503, and applied when it comes again',
    async (way) => {
      const harness = await startWithItsRedis(way, { at: 'update' });
      await harness.cancelOrder('A-2001');
      await harness.reply('A-2001', /reviewing/);
      await expect.poll(async () => (await requestsOf(harness))[0]?.claim).toBeUndefined();
      harness.arm();
      const { deliveries, settled } = harness.service.approve('A-2001');
      await settled;
      expect(new Set(deliveries[0]?.attempts)).toEqual(new Set([503]));
      await harness.back();
      expect((await requestsOf(harness))[0]?.state).toBe('under_review');
      await harness.service.redeliver(deliveries[0]?.id ?? '').settled;
      await harness.reply('A-2001', /confirmed it after a review/);
      expect(await harness.replies('A-2001')).toHaveLength(2);
    },
  );

  test.each(['killed', 'paused'] as const)(
    '%s while the order service is being called, its answer is told once Redis is back',
    async (way) => {
      const harness = await startWithItsRedis(way);
      const held = harness.service.faults.schedule({
        on: 'cancel_order',
        fault: { type: 'hold', when: 'after' },
      });
      await harness.cancelOrder('A-1001');
      await held.reached;
      await harness.away();
      held.release();
      await expect.poll(() => harness.logged.text()).toContain('result not saved yet, will retry');
      await harness.back();
      await harness.reply('A-1001', /is cancelled/);
      expect(calls(harness)).toBe(1);
      expect(await harness.replies('A-1001')).toHaveLength(1);
    },
  );

  test('killed before anything was sent, the sweep goes on with the request by itself', async () => {
    const harness = await startWithItsRedis('killed');
    const held = harness.slack.faults.schedule({
      on: 'chat.postMessage',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cancelOrder('A-1001');
    await held.reached;
    await harness.away();
    held.release();
    await expect.poll(() => harness.logged.text()).toContain('result not saved yet, will retry');
    expect(calls(harness)).toBe(0);
    await harness.back();
    await harness.reply('A-1001', /is cancelled/);
    expect(calls(harness)).toBe(1);
  });
});

describe('with the answers of its Redis lost', () => {
  needsRedis(true);

  test('a request that was stored all the same is carried out once, however often its form is sent', async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const proxy = await deafProxy(redis.url);
    let armed = false;
    const requests = (store: RequestStore): RequestStore => ({
      ...store,
      create: (entry) => {
        if (armed) proxy.loseAnswers();
        return store.create(entry);
      },
    });
    const env = redisEnvironment({ type: 'redis', url: proxy.url, prefix: 'countermand' });
    const harness = await startHarness({
      env,
      overrides: { runner: { sweepMs: 50 }, storage: withRequests(requests) },
    });
    // The server knows the script from here on.
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();
    armed = true;
    mustBeAFault(harness, (await harness.ana.submit()).modal?.view);
    armed = false;
    proxy.recover();
    await expect.poll(async () => (await fetch(`${harness.url}/readyz`)).status).toBe(200);
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
    expect(calls(harness)).toBe(2);
  });

  test('a call whose claim was stored all the same is made once, and its outcome is known', async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const proxy = await deafProxy(redis.url);
    let armed = false;
    const requests = (store: RequestStore): RequestStore => ({
      ...store,
      async update(entry, ...rest) {
        if (!armed || entry.record.claim?.effect !== 'call') return store.update(entry, ...rest);
        armed = false;
        proxy.loseAnswers();
        return store.update(entry, ...rest).finally(proxy.recover);
      },
    });
    const env = redisEnvironment({ type: 'redis', url: proxy.url, prefix: 'countermand' });
    const harness = await startHarness({
      env,
      overrides: { runner: { sweepMs: 50 }, storage: withRequests(requests) },
    });
    // The server knows the script from here on.
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    armed = true;
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(calls(harness)).toBe(2);
    expect(harness.logged.text()).toContain('answer to a written claim lost: nothing is sent');
  });
});
