/** The behaviour of a rate limiter, within one process or between replicas. */
import { describe, expect, test } from 'vitest';
import type { Bucket, RateLimiter } from '../../../src/outbox/ports.ts';

/** So long that no test outlasts it. */
const HOUR = 3_600_000;

/** One an hour, and so many at once. */
const bucket = (more: Partial<Bucket> = {}): Bucket => ({
  workspace: 'T1',
  name: 'post C1',
  everyMs: HOUR,
  burst: 1,
  ...more,
});

/**
 * Asks in one workspace after the other. @returns the first one in which the caller has to wait: on a busy machine their time
 * may come before they ask
 */
async function firstToWait(ask: (workspace: string) => Promise<number>): Promise<string> {
  for (let n = 1; n <= 100; n++) if ((await ask(`T${n}`)) > 0) return `T${n}`;
  throw new Error('Nobody has to wait.');
}

/** @param openLimiter `lostMs`: how late a caller loses their place */
export function rateLimiterContract(
  name: string,
  openLimiter: (lostMs?: number) => Promise<RateLimiter>,
): void {
  /** Most of these ask for the time to wait alone. */
  async function open(lostMs?: number) {
    const limiter = await openLimiter(lostMs);
    const take = async (who: string, more: Partial<Bucket> = {}, yields = false) =>
      (await limiter.take(bucket(more), who, yields)).ms;
    return { ...limiter, take };
  }

  describe(`a rate limiter ${name}`, () => {
    test('gives at once as long as the burst lasts, and then one after the other, in the order of asking', async () => {
      const { take } = await open();
      const waits: number[] = [];
      for (const who of ['a', 'b', 'c', 'd', 'e']) waits.push(await take(who, { burst: 2 }));
      expect(waits.map((ms) => Math.ceil(ms / HOUR))).toEqual([0, 0, 1, 2, 3]);
    });

    test('keeps the place of whoever asks again', async () => {
      const { take } = await open();
      await take('a');
      const first = await take('b');
      await take('c');
      const again = await take('b');
      expect(again).toBeGreaterThan(0);
      expect(again).toBeLessThanOrEqual(first);
      expect(await take('c')).toBeGreaterThan(HOUR);
    });

    test('gives when it is time, and what it gave is used up', async () => {
      const { take } = await open();
      const soon = (who: string, workspace: string) => take(who, { workspace, everyMs: 500 });
      const workspace = await firstToWait(async (workspace) => {
        expect(await soon('a', workspace)).toBe(0);
        return soon('b', workspace);
      });
      await expect.poll(() => soon('b', workspace), { interval: 5 }).toBe(0);
      // By now it may be time for another one; but not for two.
      await take('b', { workspace });
      expect(await take('c', { workspace })).toBeGreaterThan(HOUR / 2);
    });

    test('lets nobody wait for another bucket, or for another workspace', async () => {
      const { take } = await open();
      await take('a');
      expect(await take('b', { name: 'post C2' })).toBe(0);
      expect(await take('b', { workspace: 'T2' })).toBe(0);
      expect(await take('b')).toBeGreaterThan(0);
    });

    test('pauses one bucket and no other, also for whoever has a place in it', async () => {
      const { take, pause } = await open();
      await take('a');
      await take('b', { everyMs: 1 });
      await pause(bucket(), 3 * HOUR, 'why');
      for (const who of ['b', 'x']) expect(await take(who)).toBeGreaterThan(2 * HOUR);
      expect(await take('x', { name: 'post C2' })).toBe(0);
      expect(await take('x', { workspace: 'T2' })).toBe(0);
    });

    test('pauses the buckets of all workspaces that share a pause', async () => {
      const { take, pause } = await open();
      await pause({ name: 'service' }, 3 * HOUR, 'why');
      for (const workspace of ['T1', 'T2']) {
        expect(await take('a', { workspace, pausedWith: 'service' })).toBeGreaterThan(2 * HOUR);
        expect(await take('a', { workspace, name: 'free', pausedWith: 'another' })).toBe(0);
      }
    });

    test('says why a bucket is paused, and nothing where one only waits for others', async () => {
      const limiter = await openLimiter();
      await limiter.take(bucket(), 'a');
      expect((await limiter.take(bucket(), 'b')).why).toBeUndefined();
      await limiter.pause(bucket(), 3 * HOUR, 'rate_limited');
      expect((await limiter.take(bucket(), 'b')).why).toBe('rate_limited');
      expect((await limiter.take(bucket({ workspace: 'T2' }), 'b')).why).toBeUndefined();
    });

    test('does not end a pause sooner because of a shorter one', async () => {
      const { take, pause } = await open();
      await pause(bucket(), 3 * HOUR, 'why');
      await pause(bucket(), 1, 'other');
      await pause(bucket(), 0, 'other');
      expect(await take('a')).toBeGreaterThan(2 * HOUR);
    });

    test('gives one after the other once a pause has ended, in the order of asking', async () => {
      const { take, pause } = await open();
      await pause(bucket(), HOUR, 'why');
      const waits: number[] = [];
      for (const who of ['a', 'b', 'c']) waits.push(await take(who, { burst: 3 }));
      expect(waits.map((ms) => Math.round(ms / HOUR))).toEqual([1, 2, 3]);
    });

    test('lets one proceed after a pause with a probe, and the others once the limit is resumed, in order', async () => {
      const { take, pause, resume } = await open();
      const soonIn = (workspace: string, who: string) => take(who, { workspace, everyMs: 1, burst: 9 });
      const workspace = await firstToWait(async (workspace) => {
        await pause(bucket({ workspace }), 1_000, 'failing', HOUR);
        const waits: number[] = [];
        for (const who of ['a', 'b', 'c']) waits.push(await soonIn(workspace, who));
        return Math.min(...waits);
      });
      const soon = (who: string) => soonIn(workspace, who);
      await expect.poll(() => soon('a'), { interval: 5 }).toBe(0);
      for (const who of ['b', 'c', 'x']) {
        expect(await soon(who)).toBeGreaterThan(0);
        // They ask again soon, since nobody knows how long the probe takes.
        expect(await soon(who)).toBeLessThan(HOUR / 2);
      }
      await resume(bucket({ workspace }));
      await expect.poll(() => soon('b'), { interval: 5 }).toBe(0);
      await expect.poll(() => soon('c'), { interval: 5 }).toBe(0);
    });

    test('pauses anew where the probe failed, for as long as it is told, and then has another probe', async () => {
      const { take, pause } = await open();
      const soon = (who: string) => take(who, { everyMs: 1, burst: 9 });
      await pause(bucket(), 50, 'failing', HOUR);
      await expect.poll(() => soon('a'), { interval: 5 }).toBe(0);
      await soon('b');
      await pause(bucket(), 50, 'failing', HOUR);
      await expect.poll(() => soon('b'), { interval: 5 }).toBe(0);
      expect(await soon('c')).toBeGreaterThan(0);
    });

    test('has another probe at once where the first one failed and asks for no pause', async () => {
      const { take, pause } = await open();
      const soon = (who: string) => take(who, { everyMs: 1, burst: 9 });
      await pause(bucket(), 50, 'failing', HOUR);
      await expect.poll(() => soon('a'), { interval: 5 }).toBe(0);
      await pause(bucket(), 0, 'rate_limited', HOUR);
      expect(await soon('b')).toBe(0);
      expect(await soon('c')).toBeGreaterThan(0);
    });

    test('lets another probe proceed where nothing is heard of the first one', async () => {
      const { take, pause } = await open();
      const soon = (who: string) => take(who, { everyMs: 1, burst: 9 });
      await pause(bucket(), 50, 'failing', 100);
      for (const who of ['a', 'b']) await expect.poll(() => soon(who), { interval: 5 }).toBe(0);
    });

    test('gives to who yields only what nobody waits for, and keeps them no place', async () => {
      const { take } = await open();
      expect(await take('last', {}, true)).toBe(0);
      expect(await take('last', {}, true)).toBeGreaterThan(0);
      const first = await take('first');
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThanOrEqual(HOUR);
      const workspace = await firstToWait(async (workspace) => {
        await take('a', { workspace, name: 'soon', everyMs: 200 });
        return take('waits', { workspace, name: 'soon', everyMs: 200 });
      });
      const soon = { workspace, name: 'soon', everyMs: 200 };
      await expect.poll(() => take('waits', soon), { interval: 5 }).toBe(0);
      await expect.poll(() => take('last', soon, true), { interval: 5 }).toBe(0);
    });

    test('gives a new place to whoever stays away for too long after their time', async () => {
      const { take, pause } = await open(50);
      await pause(bucket(), 1_000, 'why');
      expect(await take('late')).toBeLessThan(HOUR / 2);
      // Whoever yields has no place to lose.
      const clock = () => take('clock', { name: 'clock', everyMs: 1_500 }, true);
      await clock();
      await expect.poll(clock, { interval: 5 }).toBe(0);
      expect(await take('late')).toBeGreaterThan(HOUR / 2);
    });

    describe('of a bucket within another one', () => {
      const outer = { name: 'post', everyMs: HOUR, burst: 2 };
      const within = { everyMs: 1, within: outer };

      test('gives what both have, in the order of asking', async () => {
        const { take } = await open();
        const waits: number[] = [];
        for (const n of [1, 2, 3, 4]) waits.push(await take(`${n}`, { ...within, name: `post C${n}` }));
        expect(waits.map((ms) => Math.ceil(ms / HOUR))).toEqual([0, 0, 1, 2]);
        expect(await take('x', { ...within, workspace: 'T2' })).toBe(0);
      });

      test('takes nothing of the outer one before it is time in the inner one', async () => {
        const { take } = await open();
        const slow = { within: { ...outer, burst: 3 } };
        expect(await take('a', slow)).toBe(0);
        for (const who of ['b', 'c', 'd']) expect(await take(who, slow)).toBeGreaterThan(0);
        for (const name of ['post C2', 'post C3']) expect(await take('x', { ...slow, name })).toBe(0);
        expect(await take('x', { ...slow, name: 'post C4' })).toBeGreaterThan(0);
      });

      test('takes one token of the inner one, however long it waits for the outer one', async () => {
        const { take } = await open();
        const soon = { within: { ...outer, everyMs: 1_000, burst: 1 }, burst: 2 };
        expect(await take('a', soon)).toBe(0);
        await expect.poll(() => take('b', soon), { interval: 5 }).toBe(0);
        expect(await take('c', soon)).toBeGreaterThan(1_000);
      });

      test('holds back whoever waits for the outer one, where the inner one is paused meanwhile', async () => {
        const { take, pause } = await open();
        const soonIn = (workspace: string) => ({
          ...within,
          workspace,
          within: { ...outer, everyMs: 1_000, burst: 1 },
        });
        const workspace = await firstToWait(async (workspace) => {
          expect(await take('a', soonIn(workspace))).toBe(0);
          return take('b', soonIn(workspace));
        });
        const soon = soonIn(workspace);
        await pause(bucket({ workspace }), HOUR, 'why');
        expect(await take('b', soon)).toBeGreaterThan(HOUR / 2);
        await expect.poll(() => take('x', { ...soon, name: 'post C2' }), { interval: 5 }).toBe(0);
        expect(await take('b', soon)).toBeGreaterThan(HOUR / 2);
      });

      test('gives to who yields where nobody waits for either', async () => {
        const { take } = await open();
        expect(await take('last', within, true)).toBe(0);
        for (const who of ['a', 'b']) await take(who, { ...within, name: `post of ${who}` });
        expect(await take('last', { ...within, name: 'post C2' }, true)).toBeGreaterThan(0);
      });
    });

    test('lists the pauses of a workspace and those that all share, and of no other', async () => {
      const limiter = await openLimiter();
      expect(await limiter.pauses('T1')).toEqual([]);
      await limiter.pause({ workspace: 'T1', name: 'post C1' }, HOUR, 'rate_limited');
      await limiter.pause({ name: 'service' }, 2 * HOUR, 'unreachable');
      await limiter.pause({ workspace: 'T2', name: 'post C2' }, HOUR, 'rate_limited');
      const pauses = await limiter.pauses('T1');
      expect(pauses.map(({ name, why }) => [name, why]).sort()).toEqual([
        ['post C1', 'rate_limited'],
        ['service', 'unreachable'],
      ]);
      for (const { ms } of pauses) expect(ms).toBeGreaterThan(HOUR / 2);
      await limiter.resume({ workspace: 'T1', name: 'post C1' });
      expect((await limiter.pauses('T1')).map(({ name }) => name)).toEqual(['service']);
    });

    test('forgets the queues and pauses of a workspace, and of no other', async () => {
      const { take, pause, forget } = await open();
      for (const workspace of ['T1', 'T2']) {
        await take('a', { workspace });
        await take('b', { workspace });
        await pause({ workspace, name: 'paused' }, 3 * HOUR, 'why');
      }
      await forget('T1');
      expect(await take('c')).toBe(0);
      expect(await take('c', { name: 'paused' })).toBe(0);
      expect(await take('c', { workspace: 'T2' })).toBeGreaterThan(0);
      expect(await take('c', { workspace: 'T2', name: 'paused' })).toBeGreaterThan(2 * HOUR);
    });
  });
}
