/** One thread of a simulation: takes the number of the next play, for as long as there is one. */
import { parentPort, workerData } from 'node:worker_threads';
import { removeGuard } from '../guards/remove-guard.ts';
import type { Played } from '../play.ts';

/**
 * `seed`: of the first play. `found`: what was found once is played instead, by its number in place of a seed. `next`, `end`: shared by all
 * threads; plays have the numbers before `end`.
 */
export type Given = {
  seed: number;
  found: boolean;
  without: string | undefined;
  next: Int32Array;
  end: Int32Array;
};

/** The result of the play with that number. */
export type PlayedOne = Pick<Played, 'violations' | 'hash' | 'coverage'> & { n: number };

const { seed, found, without, next, end }: Given = workerData;

if (without !== undefined) removeGuard(without);
// After the guard is removed: what is loaded here is the bot.
const { play, playOf } = await import('../play.ts');
const { foundPlays } = await import('./found.ts');

const known = found ? foundPlays() : [];
const playAt = (n: number) => (found ? known[seed + n]?.play : playOf(seed + n));

for (;;) {
  const n = Atomics.add(next, 0, 1);
  const given = playAt(n);
  if (n >= Atomics.load(end, 0) || !given) break;
  const { violations, hash, coverage } = await play(given);
  parentPort?.postMessage({ n, violations, hash, coverage } satisfies PlayedOne);
}
