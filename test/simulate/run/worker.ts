/** Runs plays in one thread: takes the number of the next play until none is left. */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { useOwnCompileCache } from '../../../src/compile-cache.ts';
import { removeGuard } from '../guards/remove-guard.ts';
import type { Played } from '../play.ts';

/**
 * `seed`: of the first play. `found`: runs the plays that failed in the past, and `seed` is the number of the first of them.
 * `next`, `end`: shared by all threads; plays have the numbers before `end`.
 */
export type WorkerInput = {
  seed: number;
  found: boolean;
  without: string | undefined;
  next: Int32Array;
  end: Int32Array;
};

/** The result of the play with that number. */
export type PlayResult = Pick<Played, 'violations' | 'hash' | 'coverage' | 'counts'> & { n: number };

const { seed, found, without, next, end }: WorkerInput = workerData;

// Injected faults make many errors, whose stacks nobody reads here. To leave them out saves a twentieth of the time.
Error.stackTraceLimit = 0;

if (without !== undefined) removeGuard(without);
// With `--without all` many threads start, each with another guard removed. So all other modules are compiled only once.
useOwnCompileCache();
// Loads the bot, so it must come after removeGuard.
const { play, drawPlay, repeat } = await import('../play.ts');
const { FOUND_PLAYS } = await import('../draw/found.ts');

module.flushCompileCache();

const known = found ? FOUND_PLAYS.map(repeat) : [];
const playAt = (n: number) => (found ? known[seed + n] : drawPlay(seed + n));

for (;;) {
  const n = Atomics.add(next, 0, 1);
  const given = playAt(n);
  if (n >= Atomics.load(end, 0) || !given) break;
  const { violations, hash, coverage, counts } = await play(given).catch((error) => {
    throw new Error(`The play of seed ${seed + n} failed.`, { cause: error });
  });
  parentPort?.postMessage({ n, violations, hash, coverage, counts } satisfies PlayResult);
}
