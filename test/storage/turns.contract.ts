/** What turns are like, within one process or between replicas. */
import { describe, expect, test } from 'vitest';
import type { Turn, Turns } from '../../src/requests/turns.ts';

/** So long that no test outlasts it. */
const HOUR = 3_600_000;

/** One an hour, and so many at once. */
const turn = (who: string, more: Partial<Turn> = {}): Turn => ({
  scope: 'T1',
  lane: 'post C1',
  who,
  everyMs: HOUR,
  burst: 1,
  ...more,
});

export function turnsContract(name: string, openTurns: () => Promise<Turns>): void {
  /** How long to wait is all that most of these ask. */
  async function open() {
    const turns = await openTurns();
    return { ...turns, take: async (asked: Turn) => (await turns.take(asked)).ms };
  }

  describe(`turns ${name}`, () => {
    test('come at once as long as the burst lasts, and then one after the other, in the order of asking', async () => {
      const turns = await open();
      const waits: number[] = [];
      for (const who of ['a', 'b', 'c', 'd', 'e']) waits.push(await turns.take(turn(who, { burst: 2 })));
      expect(waits.map((ms) => Math.ceil(ms / HOUR))).toEqual([0, 0, 1, 2, 3]);
    });

    test('keep the place of whoever asks again', async () => {
      const turns = await open();
      await turns.take(turn('a'));
      const first = await turns.take(turn('b'));
      await turns.take(turn('c'));
      const again = await turns.take(turn('b'));
      expect(again).toBeGreaterThan(0);
      expect(again).toBeLessThanOrEqual(first);
      expect(await turns.take(turn('c'))).toBeGreaterThan(HOUR);
    });

    test('come when it is time, and are used up by that', async () => {
      const turns = await open();
      const soon = (who: string) => turns.take(turn(who, { everyMs: 500 }));
      expect(await soon('a')).toBe(0);
      expect(await soon('b')).toBeGreaterThan(0);
      await expect.poll(() => soon('b'), { interval: 5 }).toBe(0);
      // By now it may be time for another one; but not for two.
      await turns.take(turn('b'));
      expect(await turns.take(turn('b'))).toBeGreaterThan(0);
    });

    test('of other lanes and scopes are not waited for', async () => {
      const turns = await open();
      await turns.take(turn('a'));
      expect(await turns.take(turn('b', { lane: 'post C2' }))).toBe(0);
      expect(await turns.take(turn('b', { scope: 'T2' }))).toBe(0);
      expect(await turns.take(turn('b'))).toBeGreaterThan(0);
    });

    test('are held for all lanes of a scope and for no other, also for whoever has a place', async () => {
      const turns = await open();
      await turns.take(turn('a'));
      await turns.take(turn('b', { everyMs: 1 }));
      await turns.hold('T1', 3 * HOUR, 'why');
      for (const who of ['b', 'x']) expect(await turns.take(turn(who))).toBeGreaterThan(2 * HOUR);
      expect(await turns.take(turn('x', { lane: 'post C2' }))).toBeGreaterThan(2 * HOUR);
      expect(await turns.take(turn('x', { scope: 'T2' }))).toBe(0);
    });

    test('say why all are held, and nothing where one only waits for others', async () => {
      const turns = await openTurns();
      await turns.take(turn('a'));
      expect((await turns.take(turn('b'))).held).toBeUndefined();
      await turns.hold('T1', 3 * HOUR, 'rate_limited');
      expect((await turns.take(turn('b'))).held).toBe('rate_limited');
      expect((await turns.take(turn('b', { scope: 'T2' }))).held).toBeUndefined();
    });

    test('are not let go sooner by a shorter hold', async () => {
      const turns = await open();
      await turns.hold('T1', 3 * HOUR, 'why');
      await turns.hold('T1', 1, 'other');
      await turns.hold('T1', 0, 'other');
      expect(await turns.take(turn('a'))).toBeGreaterThan(2 * HOUR);
    });

    test('go on one after the other once a hold has ended, in the order of asking', async () => {
      const turns = await open();
      await turns.hold('T1', HOUR, 'why');
      const waits: number[] = [];
      for (const who of ['a', 'b', 'c']) waits.push(await turns.take(turn(who, { burst: 3 })));
      expect(waits.map((ms) => Math.round(ms / HOUR))).toEqual([1, 2, 3]);
    });
  });
}
