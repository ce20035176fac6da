/** Runs plays of the simulation, and prints the violations. */
import { availableParallelism } from 'node:os';
import { readArguments } from '../../sandbox/lib/arguments.ts';
import { boundOf } from './guards/bounds.ts';
import { GUARDS } from './guards/guards.ts';
import { mistakeIn, removeGuard } from './guards/remove-guard.ts';
import { type Failed, playMany, type Result } from './run/play-many.ts';
import { COUNTED, shortOf } from './tables/floors.ts';
import { coverageTable } from './witness/coverage.ts';

const USAGE = `npm run simulate -- [--seed N] [--plays N] [--seconds N] [--workers N] [--found] [--story] [--coverage]
    [--play N] [--without GUARD | --without all [--seeds N]]

Each play has its own seed; with --found those run that failed in the past. The same seed gives the same hash. --without
GUARD stops at the first play that fails; --without all removes the guards one at a time, from N random seeds each, and
prints how many plays each took. Ctrl+C ends a run early, with its result. --play N tells the play of seed N, whether it
fails or not; --story tells the first one that fails, shrunk.`;

const { values } = readArguments(USAGE, {
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    plays: { type: 'string', default: '1000' },
    seconds: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    found: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    play: { type: 'string' },
    coverage: { type: 'boolean', default: false },
    without: { type: 'string' },
    /** With `--without all`: the number of random seeds for each guard. */
    seeds: { type: 'string', default: '1' },
  },
});

const print = (text: string) => void process.stdout.write(`${text}\n`);
const printFailed = ({ seed, violations }: Failed) =>
  print(`seed ${seed}: ${violations.join('\n  ').slice(0, 2_000)}`);

const options = {
  seed: values.found ? 0 : Number(values.seed),
  plays: Number(values.plays),
  ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
  workers: Number(values.workers),
  found: values.found,
};

/** The number of plays from each seed until one fails without the guard; infinity: none does. */
async function playsUntilFound(without: string, seeds: readonly number[], most: number): Promise<number[]> {
  const found: number[] = [];
  for (const seed of seeds) {
    const plays = Math.min(options.plays, most);
    const { failed, played } = await playMany({ ...options, seed, plays, without, stopAtFirst: true });
    const mistake = mistakeIn(failed.flatMap(({ violations }) => violations));
    if (mistake) print(`${without}: the bot does not run: ${mistake}`);
    found.push(failed.length > 0 && !mistake ? played : Number.POSITIVE_INFINITY);
  }
  return found;
}

/** @returns whether each removed guard made some play fail, as soon as it has to (guards/bounds.ts) */
async function playWithoutEach(): Promise<boolean> {
  let isAsBounded = true;
  for (const without of Object.keys(GUARDS)) {
    const bound = boundOf(without);
    const seeds = Array.from({ length: Number(values.seeds) }, () => Math.floor(Math.random() * 2 ** 31));
    const found = await playsUntilFound(without, seeds, bound.most);
    const sorted = found.toSorted((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
    const isFound = median <= (bound.median ?? bound.most) && (sorted.at(-1) ?? 0) <= bound.most;
    isAsBounded &&= isFound || (bound.median === undefined && bound.stored);
    const how = isFound ? 'found' : bound.stored ? 'found by a stored play alone' : 'NOT found';
    print(
      `${without}: ${how}, after ${found.join(', ')} plays (median ${median}); seeds ${seeds.join(', ')}`,
    );
  }
  return isAsBounded;
}

async function playAll(without: string | undefined): Promise<boolean> {
  // Before the story of a play loads the bot into this thread.
  if (without !== undefined) removeGuard(without);
  const stopAtFirst = without !== undefined;
  const result: Result = await playMany({ ...options, without, stopAtFirst, onFailed: printFailed });
  if (values.coverage) print(coverageTable(result.coverage));
  const [first] = result.failed;
  if (first && values.story)
    print(await (await import('./report/story.ts')).shrunkStory(first.seed, values.found));
  print(`hash: ${result.hash}`);
  print(`plays: ${result.played} (${result.perSecond} a second)`);
  print(COUNTED.map((name) => `${name}: ${result.counts[name]}`).join(', '));
  // A play that failed in the past is about one thing, and a mutant may prevent the rest.
  const short = values.found || stopAtFirst ? [] : shortOf(result.counts, result.played);
  for (const line of short) print(`too little happened: ${line}`);
  print(`violations: ${result.failed.length}`);
  const mistake = mistakeIn(result.failed.flatMap(({ violations }) => violations));
  if (mistake) print(`the bot does not run: ${mistake}`);
  if (short.length > 0 || mistake) return false;
  return result.failed.length > 0 === stopAtFirst;
}

/** Tells one play. @returns whether it fails as it should */
async function tellPlay(seed: number): Promise<boolean> {
  if (values.without !== undefined) removeGuard(values.without);
  const { tell } = await import('./report/story.ts');
  const { text, violations } = await tell(seed);
  print(text);
  return violations > 0 === (values.without !== undefined);
}

async function run(): Promise<boolean> {
  const { play, without } = values;
  if (play !== undefined) return tellPlay(Number(play));
  print(`seed ${values.seed}, ${values.plays} plays${without ? `, without ${without}` : ''}`);
  return without === 'all' ? playWithoutEach() : playAll(without);
}

process.exitCode = (await run()) ? 0 : 1;
