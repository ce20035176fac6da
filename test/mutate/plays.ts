/** Runs plays of the simulation for a mutant: `node test/mutate/plays.ts SEED PLAYS`. Exits with 1 at the first that fails. */
import { hookMutant, ownMutant } from './applied.ts';

const [seed = 0, plays = 0] = process.argv.slice(2).map(Number);
const mutant = ownMutant();
if (mutant) hookMutant(mutant);
Error.stackTraceLimit = 0;

// Loads the bot, so it must come after the hook.
const { play, drawPlay } = await import('../simulate/play.ts');

for (let n = seed; n < seed + plays; n++) {
  const { violations } = await play(drawPlay(n));
  if (violations.length === 0) continue;
  process.stdout.write(`${n}: ${violations[0]}\n`);
  process.exit(1);
}
