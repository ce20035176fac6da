import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRedisStorage } from '../../src/storage/open.ts';
import { createTurns } from '../../src/storage/turns.ts';
import { emptyRedis, needsRedis } from '../support/redis.ts';
import { turnsContract } from './turns.contract.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

needsRedis();

turnsContract('in one process', async () => createTurns());
turnsContract('between replicas', async () => {
  const storage = openRedisStorage(await emptyRedis());
  await storage.open(silent);
  onTestFinished(storage.close);
  return storage.turns;
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

/** Everybody comes at a time, and comes back when told to. @returns when they went, in order */
async function play(arrivals: number[], { burst, everyMs }: { burst: number; everyMs: number }) {
  let now = 0;
  const turns = createTurns(() => now);
  const agenda = arrivals.map((at, i) => ({ at, who: `${i}` }));
  const gone: number[] = [];
  while (agenda.length > 0) {
    agenda.sort((one, other) => one.at - other.at);
    const next = agenda.shift();
    if (!next) break;
    now = Math.max(now, next.at);
    const { ms: wait } = await turns.take({ scope: 's', lane: 'l', who: next.who, burst, everyMs });
    if (wait === 0) gone.push(now);
    else agenda.push({ ...next, at: now + wait });
  }
  return gone;
}
