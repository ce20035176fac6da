/**
 * Repeats plays that failed in the past in one thread, each without a guard, and answers each with its violations, or with the
 * error that kept it from being played.
 */
import { parentPort } from 'node:worker_threads';
import { FOUND_PLAYS } from '../draw/found.ts';
import { loadWithout } from '../guards/load-without.ts';
import { mistakeIn } from '../guards/remove-guard.ts';

/** `name`: of the play. */
export type Guarded = { name: string; guard: string };

// As in worker.ts.
Error.stackTraceLimit = 0;

parentPort?.on('message', async (guarded: Guarded) => {
  // An error that is thrown here would end the thread, and the test of the next play would wait for ever.
  parentPort?.postMessage(await violationsOf(guarded).catch((error) => error));
});

async function violationsOf({ name, guard }: Guarded): Promise<readonly string[]> {
  const found = FOUND_PLAYS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no play "${name}".`);
  const { play, repeat } = await loadWithout(guard);
  const { violations } = await play(repeat(found));
  const mistake = mistakeIn(violations);
  if (mistake) throw new Error(`Without "${guard}" the bot does not run: ${mistake}`);
  return violations;
}
