/** Two replicas behind a real HAProxy: what people and the order service get while Redis, or one of the replicas, is away. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { LIMITS } from '../../src/http/connections.ts';
import { post } from '../support/e2e/service-events.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { createStaller, type Stalling, signedBy } from '../support/processes/strangers.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { configurationFor } from './support/documented.ts';
import { needsHaproxy, startHaproxy } from './support/haproxy.ts';
import { openProcessHarness } from './support/harness.ts';

/** HAProxy asks every 2 s. */
const IN_THE_END = { interval: 200 };

const STALLED = 2_000;
/**
 * The bytes of their bodies that requests send before they stall. `rounds`: how often as many connections are opened. What would
 * fill the default buffer is the reason of `tune.bufsize`.
 */
const STALLING: Record<string, Stalling & { rounds: number }> = {
  'before the buffer is full': { sent: 1_000, announced: 2_000, rounds: 1 },
  'when the default buffer would be full': { sent: 16_500, announced: 20_000, rounds: 3 },
  'when the buffer is full': { sent: 70_000, announced: 100_000, rounds: 1 },
};

async function openBehindHaproxy() {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const [front, a, b] = [await freePort(), await freePort(), await freePort()];
  const harness = await openProcessHarness(front);
  const storage = redisEnvironment({ type: 'redis', url: redis.url, prefix: 'countermand' });
  const bots = await Promise.all([harness.start(a, storage), harness.start(b, storage)]);
  const printed = await startHaproxy(front, [a, b]);
  const url = (path: string, port = front) => `http://127.0.0.1:${port}${path}`;
  const get = (path: string, port?: number) =>
    fetch(url(path, port)).then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(() => get('/readyz'), IN_THE_END).toBe(200);
  return { harness, redis, bots, printed, get, url, ports: [a, b] as const };
}

describe('two replicas behind HAProxy', () => {
  needsRedis(true);
  needsHaproxy();

  test('answer while 2,000 connections stall, in plain words while Redis is away, and without one that has gone', async () => {
    const { harness, redis, bots, printed, get, url } = await openBehindHaproxy();
    const ana = harness.slack.person('ana');
    const fields = { command: '/countermand', text: 'help', team_id: SEED.team, user_id: SEED.users.ana };
    const body = new URLSearchParams({ ...fields, trigger_id: '1' }).toString();
    const command = async () => {
      const signed = signedBy(body, harness.slack.signingSecret);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed };
      return (await fetch(url('/slack/events'), { method: 'POST', headers, body })).status;
    };
    for (const [where, { rounds, ...stalling }] of Object.entries(STALLING)) {
      const staller = createStaller(Number(new URL(url('/')).port));
      onTestFinished(staller.close);
      const statuses: number[] = [];
      for (let round = 0; round < rounds; round++) {
        staller.fillUp(STALLED, stalling);
        await expect.poll(staller.accepted).toBeGreaterThanOrEqual(STALLED);
        for (let n = 0; n < 10; n++) statuses.push(await command());
      }
      expect({ where, statuses }).toEqual({ where, statuses: Array(10 * rounds).fill(200) });
      staller.close();
    }

    await redis.kill();
    // It has seen that none is ready, and asks all of them.
    await expect.poll(printed, IN_THE_END).toMatch(/backend '?ready'? has no server available/);
    const seen = await ana.command('/countermand status A-1001', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
    expect((await ana.waitForEphemeral(({ text }) => /went wrong/.test(text))).text).toMatch(
      /went wrong in Countermand/,
    );
    const event = await post({ eventsUrl: url('/events/TACME~of-nobody'), secret: 'of nobody' }, {});
    // The bot's own, not HAProxy's.
    expect([event.status, await event.json()]).toMatchObject([503, { error: 'unavailable' }]);
    await redis.restart();
    await expect.poll(() => get('/readyz'), IN_THE_END).toBe(200);

    const seenOfA = () => [...printed().matchAll(/Server ready\/a is (\w+)/g)].at(-1)?.[1];
    await expect.poll(seenOfA, IN_THE_END).toBe('UP');
    await bots[0].kill();
    await expect.poll(seenOfA, IN_THE_END).toBe('DOWN');
    for (let n = 0; n < 4; n++)
      expect((await ana.command('/countermand help', { channel: '#support' })).trouble).toBeUndefined();
  });

  test('get fewer requests at a time than the bot takes connections', () => {
    const most = [...configurationFor('HAProxy').matchAll(/default-server .*maxconn (\d+)/g)];
    expect(most).toHaveLength(2);
    for (const [, places] of most) expect(Number(places)).toBeLessThan(LIMITS.connections);
  });
});
