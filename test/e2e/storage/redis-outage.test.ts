/** Redis goes away in the middle of the work, is paused, and comes back. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { type Desk, type DeskOptions, startDesk } from '../../support/e2e/harness.ts';
import { redisEnvironment, STORAGE } from '../../support/e2e/storage.ts';
import { deafProxy } from '../../support/order-service/deaf-proxy.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';

/** How a Redis can go, and how it comes back. */
const WAYS = {
  killed: { go: (redis: RedisServer) => redis.kill(), comeBack: (redis: RedisServer) => redis.restart() },
  paused: {
    go: async (redis: RedisServer) => redis.pause(),
    comeBack: async (redis: RedisServer) => redis.resume(),
  },
};

/** A desk with a Redis of its own. `at`: an operation that Redis goes away under, once it is told to. */
async function start(
  way: keyof typeof WAYS,
  { at, ...options }: DeskOptions & { at?: 'create' | 'update' } = {},
) {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const { go, comeBack } = WAYS[way];
  let armed = false;
  const requests = (store: RequestStore): RequestStore => {
    const under =
      <Args extends unknown[], R>(operation: (...args: Args) => Promise<R>) =>
      async (...args: Args) => {
        if (!armed) return operation(...args);
        armed = false;
        // Paused first, so that it has the command before it when it dies.
        redis.pause();
        const [result] = await Promise.allSettled([operation(...args), go(redis)]);
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      };
    return at ? { ...store, [at]: under<never[], unknown>(store[at]) } : store;
  };
  const env = redisEnvironment({ type: 'redis', url: redis.url, prefix: 'countermand' });
  const overrides = { runner: { sweepMs: 50 }, requests, ...options.overrides };
  const desk = await startDesk({ ...options, overrides, env });
  const readiness = async () => (await fetch(`${desk.url}/readyz`)).status;
  return {
    ...desk,
    readiness,
    arm: () => {
      armed = true;
    },
    away: () => go(redis),
    async back() {
      await comeBack(redis);
      await expect.poll(readiness).toBe(200);
    },
  };
}

const calls = (desk: Pick<Desk, 'service'>) => desk.service.calls({ operation: 'cancel_order' }).length;

const requestsOf = async (desk: Pick<Desk, 'terminal'>) =>
  (await desk.terminal()).storage.requests.list(SEED.team, { limit: 10 });

/** The sentence for a fault, whose reference is in the log. */
function mustBeAFault(desk: Pick<Desk, 'logged'>, shown: unknown): void {
  const [, reference] =
    /Something went wrong in Countermand.*reference: ([A-Z0-9]{8})/.exec(JSON.stringify(shown)) ?? [];
  expect(desk.logged.text()).toContain(`"reference":"${reference}"`);
}

describe.runIf(STORAGE === 'redis').each(['killed', 'paused'] as const)('with its Redis %s', (way) => {
  needsRedis(true);

  test('before a form is sent, nothing is asked, the person reads a sentence, and sends it again', async () => {
    const desk = await start(way);
    await desk.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.away();
    const { outcome, modal } = await desk.ana.submit();
    expect(outcome).toBe('pushed');
    mustBeAFault(desk, modal?.view);
    expect(await desk.readiness()).toBe(503);
    await desk.back();
    expect(await requestsOf(desk)).toEqual([]);
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
    expect(calls(desk)).toBe(1);
  });

  test('while a request is being written, nothing is asked, not even later', async () => {
    const desk = await start(way, { at: 'create' });
    await desk.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await desk.ana.waitForModal();
    desk.arm();
    const { outcome, modal } = await desk.ana.submit();
    expect(outcome).toBe('pushed');
    mustBeAFault(desk, modal?.view);
    await desk.back();
    expect(await requestsOf(desk)).toEqual([]);
    expect(desk.slack.messages('#support')).toEqual([]);
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
    expect(calls(desk)).toBe(1);
  });

  test('every command is answered with a sentence', async () => {
    const desk = await start(way);
    await desk.away();
    await desk.ana.command('/countermand status A-1001', { channel: '#support' });
    const { text } = await desk.ana.waitForEphemeral();
    mustBeAFault(desk, text);
    await desk.back();
  });

  test('while the workspace is being connected, the admin reads a sentence, and connects it again', async () => {
    const desk = await start(way, { connected: false });
    const held = desk.service.faults.order({ on: 'get_sub_brands', fault: { type: 'hold', when: 'before' } });
    await desk.openConnect();
    await desk.olga.submit({ token: SEED_TOKENS.acme.rest });
    await held.reached;
    await desk.away();
    held.release();
    const { view } = await desk.olga.waitForModal((modal) =>
      JSON.stringify(modal.view).includes('went wrong'),
    );
    mustBeAFault(desk, view);
    await desk.olga.closeModal();
    await desk.back();
    expect(await (await desk.terminal()).connections.find(SEED.team)).toBeUndefined();
    await desk.connect();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('a change of the settings is refused with a sentence, and never made later', async () => {
    const desk = await start(way);
    await desk.olga.command('/countermand settings', { channel: '#support' });
    await desk.olga.waitForModal(({ callback_id }) => callback_id === 'settings');
    await desk.away();
    const { outcome, modal } = await desk.olga.submit({ order_id_pattern: 'B-####' });
    expect(outcome).toBe('pushed');
    mustBeAFault(desk, modal?.view);
    await desk.back();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('an event is answered 503, and applied when it comes again', async () => {
    const desk = await start(way, { at: 'update' });
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    await expect.poll(async () => (await requestsOf(desk))[0]?.claim).toBeUndefined();
    desk.arm();
    const { deliveries, settled } = desk.service.approve('A-2001');
    await settled;
    expect(new Set(deliveries[0]?.attempts)).toEqual(new Set([503]));
    await desk.back();
    expect((await requestsOf(desk))[0]?.state).toBe('under_review');
    await desk.service.redeliver(deliveries[0]?.id ?? '').settled;
    await desk.reply('A-2001', /approved/);
    expect(await desk.replies('A-2001')).toHaveLength(2);
  });

  test('while the order service is being called, its answer is told once Redis is back', async () => {
    const desk = await start(way);
    const held = desk.service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
    await desk.ask('A-1001');
    await held.reached;
    await desk.away();
    held.release();
    await expect.poll(() => desk.logged.text()).toContain('result not saved yet, will retry');
    await desk.back();
    await desk.reply('A-1001', /is cancelled/);
    expect(calls(desk)).toBe(1);
    expect(await desk.replies('A-1001')).toHaveLength(1);
  });

  test('before anything was sent, the sweep goes on with the request by itself', async () => {
    const desk = await start(way);
    const held = desk.slack.faults.order({ on: 'chat.postMessage', fault: { type: 'hold', when: 'before' } });
    await desk.ask('A-1001');
    await held.reached;
    await desk.away();
    held.release();
    await expect.poll(() => desk.logged.text()).toContain('result not saved yet, will retry');
    expect(calls(desk)).toBe(0);
    await desk.back();
    await desk.reply('A-1001', /is cancelled/);
    expect(calls(desk)).toBe(1);
  });
});

describe.runIf(STORAGE === 'redis')('with the answers of its Redis lost', () => {
  needsRedis(true);

  test('a request that was written down all the same is carried out once, however often it is sent', async () => {
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
    const desk = await startDesk({ env, overrides: { runner: { sweepMs: 50 }, requests } });
    // The server knows the script from here on.
    await desk.ask('A-1002');
    await desk.reply('A-1002', /is cancelled/);
    await desk.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await desk.ana.waitForModal();
    armed = true;
    mustBeAFault(desk, (await desk.ana.submit()).modal?.view);
    armed = false;
    proxy.recover();
    await expect.poll(async () => (await fetch(`${desk.url}/readyz`)).status).toBe(200);
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
    expect(calls(desk)).toBe(2);
  });
});
