import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRateLimiter, LATE_MS } from '../../src/storage/rate-limiter.ts';
import { openRedisStorage } from '../../src/storage/redis/open.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { rateLimiterContract } from './contracts/rate-limiter.contract.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

needsRedis();

rateLimiterContract('in one process', async () => createRateLimiter());
rateLimiterContract('between replicas', async () => {
  const storage = openRedisStorage(await emptyRedis());
  await storage.open(silent);
  onTestFinished(storage.close);
  return storage.limiter;
});

describe('however many ask, and whenever they come back', () => {
  test('no more go in any while than the burst and what the pace allows, and everybody goes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(300), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        async (arrivals, burst, everyMs) => {
          const gone = await play(arrivals, { burst, everyMs });
          expect(gone).toHaveLength(arrivals.length);
          for (const [i, from] of gone.entries()) {
            const after = gone.slice(i).filter((at) => at < from + 10 * everyMs).length;
            expect(after).toBeLessThanOrEqual(burst + 10);
          }
        },
      ),
    );
  });
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

  test('does not wait for ever for somebody who does not come', async () => {
    const { take, at } = await afterTheFirst();
    at(10 + LATE_MS);
    expect(await take('c')).toBe(0);
  });

  test('goes after all who wait, where they yield', async () => {
    const { take, at } = await afterTheFirst();
    at(100);
    expect(await take('last', true)).toBeGreaterThan(0);
    for (const who of ['b', 'c']) expect(await take(who)).toBe(0);
    expect(await take('last', true)).toBe(0);
  });
});

/** Each caller comes at a given time, and again after the delay that it was given. @returns the times at which they passed, in order */
async function play(arrivals: number[], { burst, everyMs }: { burst: number; everyMs: number }) {
  let now = 0;
  const limiter = createRateLimiter(() => now);
  const schedule = arrivals.map((at, i) => ({ at, who: `${i}` }));
  const gone: number[] = [];
  while (schedule.length > 0) {
    schedule.sort((one, other) => one.at - other.at);
    const next = schedule.shift();
    if (!next) break;
    now = Math.max(now, next.at);
    const { ms: wait } = await limiter.take({ workspace: 'T1', name: 'b', burst, everyMs }, next.who);
    if (wait === 0) gone.push(now);
    else schedule.push({ ...next, at: now + wait });
  }
  return gone;
}
