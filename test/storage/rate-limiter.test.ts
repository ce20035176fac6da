import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SILENT } from '../../src/outbox/ports.ts';
import { createRateLimiter, LATE_MS } from '../../src/storage/rate-limiter.ts';
import { createRedisConnection } from '../../src/storage/redis/connection/connection.ts';
import { limitKeys } from '../../src/storage/redis/keys.ts';
import { createRedisRateLimiter } from '../../src/storage/redis/rate-limiter.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { readRaw } from '../support/storage/raw-storage.ts';
import { eventually } from '../support/time/eventually.ts';
import { rateLimiterContract } from './contracts/rate-limiter.contract.ts';

needsRedis();

rateLimiterContract('in one process', async (lostMs) => createRateLimiter(undefined, lostMs));
rateLimiterContract('between replicas', async (lostMs) => {
  const { url, prefix } = await emptyRedis();
  const connection = createRedisConnection(url);
  await connection.open(SILENT);
  onTestFinished(() => connection.close());
  return createRedisRateLimiter(connection, prefix, lostMs);
});

test('channels in use keep their pace while those in which nothing is posted any more are forgotten', async () => {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  const bucket = (name: string) => ({ workspace: 'T1', name, burst: 1, everyMs: 1_000 });
  for (let n = 0; n < 998; n++) await limiter.take(bucket(`${n}`), 'a');
  await limiter.pause(bucket('paused'), 60_000, 'asked');
  now = 5_000;
  await limiter.take(bucket('busy'), 'a');
  for (let n = 0; n < 50; n++) await limiter.take(bucket(`new ${n}`), 'a');
  expect((await limiter.take(bucket('busy'), 'b')).ms).toBe(1_000);
  expect(await limiter.take(bucket('7'), 'b')).toEqual({ ms: 0 });
  expect(await limiter.pauses('T1')).toEqual([{ name: 'paused', ms: 55_000, why: 'asked' }]);
});

test('channels are forgotten, too, where somebody who had to wait never came again', async () => {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  const comeAndWait = async (name: string) => {
    const bucket = { workspace: 'T1', name, burst: 1, everyMs: 1_000 };
    await limiter.take(bucket, 'a');
    expect((await limiter.take(bucket, 'never again')).ms).toBe(1_000);
    now += 1_000;
  };
  await comeAndWait('C');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 40_000; n++) await comeAndWait(`C${n}`);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
});

test('a bucket within another one is waited for to the last millisecond', async () => {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  const outer = { name: 'post', burst: 9, everyMs: 1 };
  const bucket = { workspace: 'T1', name: 'post C1', burst: 1, everyMs: 1_000, within: outer };
  await limiter.take(bucket, 'a');
  now = 999;
  expect(await limiter.take(bucket, 'b')).toEqual({ ms: 1 });
  now = 1_000;
  expect(await limiter.take(bucket, 'b')).toEqual({ ms: 0 });
});

test('a token that waits for a bucket within is void once the bucket is paused', async () => {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  const inner = { name: 'service', burst: 1, everyMs: 1_000 };
  const bucket = { workspace: 'T1', name: 'post C1', burst: 1, everyMs: 10, within: inner };
  await limiter.take(bucket, 'a');
  now = 10;
  expect(await limiter.take(bucket, 'b')).toEqual({ ms: 990 });
  await limiter.pause({ workspace: 'T1', name: 'post C1' }, 5_000, 'rate_limited');
  now = 1_000;
  expect(await limiter.take(bucket, 'b')).toMatchObject({ why: 'rate_limited' });
});

test('between replicas, what has expired is not listed any more once something else is', async () => {
  const address = await emptyRedis();
  const connection = createRedisConnection(address.url);
  await connection.open(SILENT);
  onTestFinished(() => connection.close());
  const limiter = createRedisRateLimiter(connection, address.prefix);
  const index = limitKeys(address.prefix).index('T1');
  for (let n = 0; n < 20; n++) await limiter.pause({ workspace: 'T1', name: `C${n}` }, 1, 'asked');
  await limiter.pause({ workspace: 'T1', name: 'lasts' }, 60_000, 'asked');
  const listed = async () => (await readRaw(address)).filter((line) => line.startsWith(`${index} `));
  await eventually(async () => {
    await limiter.take({ workspace: 'T1', name: 'b', burst: 1, everyMs: 100 }, 'a');
    // The pause that lasts, the queue and the next turn.
    expect((await listed()).length).toBeLessThanOrEqual(3);
  });
  expect(await limiter.pauses('T1')).toMatchObject([{ name: 'lasts' }]);
  await limiter.forget('T1');
  expect(await readRaw(address)).toEqual([]);
});

test('between replicas, times that are further ahead than anything can have made them hold nobody up', async () => {
  const { url, prefix } = await emptyRedis();
  const connection = createRedisConnection(url);
  await connection.open(SILENT);
  onTestFinished(() => connection.close());
  const limiter = createRedisRateLimiter(connection, prefix);
  // Far longer than the few calls take: the store forgets a pause once it is over.
  const bucket = { workspace: 'T1', name: 'b', burst: 1, everyMs: 10_000 };
  const pauseMs = 60_000;
  const keys = limitKeys(prefix);
  const later = `${Date.now() + 3_600_000}`;
  await limiter.take(bucket, 'a');
  await limiter.pause(bucket, pauseMs, 'asked');
  expect((await limiter.take(bucket, 'waits')).ms).toBeLessThanOrEqual(pauseMs);
  // As a clock that was an hour ahead leaves them.
  await connection.read((client) =>
    Promise.all([
      client.set(keys.free('T1', 'b'), later),
      client.hSet(keys.pause('T1', 'b'), { until: later, ms: `${pauseMs}`, why: 'asked' }),
      client.zAdd(keys.queue('T1', 'b'), { score: Number(later) - bucket.everyMs, value: 'waits' }),
    ]),
  );
  const waits: number[] = [];
  for (const who of ['waits', 'second', 'third']) waits.push((await limiter.take(bucket, who)).ms);
  expect(waits[0]).toBeLessThan(5 * pauseMs);
  const apart = waits.slice(1).map((ms, n) => ms - (waits[n] ?? 0));
  for (const ms of apart) expect(ms).toBeGreaterThan(bucket.everyMs / 2);
  expect(await limiter.pauses('T1')).toEqual([{ name: 'b', ms: pauseMs, why: 'asked' }]);
});

describe('however many ask, whenever they come back, and whoever stays away', () => {
  test('no more go in any while than the burst and what the pace allows, and everybody goes who stays', async () => {
    const caller = fc.record({ at: fc.nat(300), leavesAfterMs: fc.option(fc.nat(300)) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(caller, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        async (callers, burst, everyMs) => {
          const { gone, left } = await play(callers, { burst, everyMs });
          expect(gone.length + left).toBe(callers.length);
          for (const [i, from] of gone.entries()) {
            const after = gone.slice(i).filter((at) => at < from + 10 * everyMs).length;
            expect(after).toBeLessThanOrEqual(burst + 10);
          }
        },
      ),
    );
  });
});

test('a clock that is set back holds nobody up', async () => {
  const bucket = { workspace: 'T1', name: 'b', burst: 2, everyMs: 1_000 };
  const limiter = createRateLimiter();
  const before = Date.now();
  await limiter.take(bucket, 'a');
  const clock = vi.spyOn(Date, 'now').mockReturnValue(before - 20 * 60_000);
  onTestFinished(() => clock.mockRestore());
  expect(await limiter.take(bucket, 'b')).toEqual({ ms: 0 });
});

describe('whoever comes first at the time of another', () => {
  const bucket = { workspace: 'T1', name: 'b', burst: 1, everyMs: 10 };

  async function afterTheFirst() {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    for (const who of ['a', 'b', 'c']) await limiter.take(bucket, who);
    return {
      take: async (who: string, yields = false) => (await limiter.take(bucket, who, yields)).ms,
      at(ms: number) {
        now = ms;
      },
    };
  }

  test('goes after those who were promised an earlier one', async () => {
    const { take, at } = await afterTheFirst();
    at(25);
    expect(await take('c')).toBeGreaterThan(0);
    expect(await take('b')).toBe(0);
    expect(await take('c')).toBe(0);
  });

  test('goes after those, also where they have asked again in between', async () => {
    const { take, at } = await afterTheFirst();
    at(5);
    expect(await take('b')).toBe(5);
    at(25);
    expect(await take('c')).toBeGreaterThan(0);
    expect(await take('b')).toBe(0);
    expect(await take('c')).toBe(0);
  });

  test('does not wait for ever for somebody who does not come', async () => {
    const { take, at } = await afterTheFirst();
    at(10 + LATE_MS);
    expect(await take('c')).toBe(0);
  });

  test('waits for the result of a probe, however long that may take, for two seconds at a time', async () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    await limiter.pause({ workspace: 'T1', name: 'b' }, 100, 'unreachable', 60_000);
    await limiter.take(bucket, 'a');
    await limiter.take(bucket, 'b');
    now = 100;
    expect(await limiter.take(bucket, 'a')).toEqual({ ms: 0, isProbe: true });
    expect(await limiter.take(bucket, 'b')).toMatchObject({ ms: 2_000 });
  });

  test('goes at once where they are minutes late, and those who come back then have a new place', async () => {
    const { take, at } = await afterTheFirst();
    at(20 + 120_001);
    expect(await take('x')).toBe(0);
    expect([await take('b'), await take('c')]).toEqual([10, 20]);
  });

  test('goes after all who wait, where they yield', async () => {
    const { take, at } = await afterTheFirst();
    at(100);
    expect(await take('last', true)).toBeGreaterThan(0);
    for (const who of ['b', 'c']) expect(await take(who)).toBe(0);
    expect(await take('last', true)).toBe(0);
  });
});

type Caller = { at: number; leavesAfterMs: number | null };

/**
 * Each caller comes at a given time, and again after the delay that it was given, unless it stays away from some time on.
 * @returns the times at which they passed, in order, and how many have left
 */
async function play(callers: Caller[], { burst, everyMs }: { burst: number; everyMs: number }) {
  let [now, left] = [0, 0];
  const limiter = createRateLimiter(() => now);
  const bucket = { workspace: 'T1', name: 'b', burst, everyMs };
  const schedule = callers.map(({ at, leavesAfterMs }, i) => ({
    at,
    who: `${i}`,
    leavesAt: leavesAfterMs === null ? Number.POSITIVE_INFINITY : at + leavesAfterMs,
  }));
  const gone: number[] = [];
  while (schedule.length > 0) {
    schedule.sort((one, other) => one.at - other.at);
    const next = schedule.shift();
    if (!next) break;
    now = Math.max(now, next.at);
    if (next.at >= next.leavesAt) {
      left += 1;
      continue;
    }
    const { ms: wait } = await limiter.take(bucket, next.who);
    if (wait === 0) gone.push(now);
    else schedule.push({ ...next, at: Math.min(now + wait, next.leavesAt) });
  }
  return { gone, left };
}
