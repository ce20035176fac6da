/**
 * npm run simulate -- [--seed N] [--plays N] [--seconds N] [--workers N] [--found] [--story] [--coverage]
 *   [--without GUARD | --without all]
 *
 * Runs plays and prints the violations: each play from its own seed, or with --found those that failed in the past. The same
 * seed gives the same hash. --without GUARD stops at the first play that fails; --without all removes the guards one at a
 * time, and prints how many plays each took. Ctrl+C ends a run early, with its result.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { GUARDS } from './guards/guards.ts';
import { removeGuard } from './guards/remove-guard.ts';
import { type Failed, playMany, type Result } from './run/play-many.ts';
import { COUNTED, shortOf } from './tables/floors.ts';
import { coverageTable } from './witness/coverage.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    plays: { type: 'string', default: '1000' },
    seconds: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    found: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    without: { type: 'string' },
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

/** @returns whether each removed guard made some play fail */
async function playWithoutEach(): Promise<boolean> {
  const names = Object.keys(GUARDS);
  let detected = 0;
  for (const without of names) {
    const { failed, played } = await playMany({ ...options, without, stopAtFirst: true });
    if (failed.length > 0) detected += 1;
    print(`${without}: ${failed.length > 0 ? 'found' : 'not found'} after ${played} plays`);
  }
  return detected === names.length;
}

async function playAll(without: string | undefined): Promise<boolean> {
  // Before the story of a play loads the bot into this thread.
  if (without !== undefined) removeGuard(without);
  const stopAtFirst = without !== undefined;
  const result: Result = await playMany({ ...options, without, stopAtFirst, onFailed: printFailed });
  if (values.coverage) print(coverageTable(result.coverage));
  const [first] = result.failed;
  if (first && values.story) print(await (await import('./report/story.ts')).shrunkStory(first.seed));
  print(`hash: ${result.hash}`);
  print(`plays: ${result.played} (${result.perSecond} a second)`);
  print(COUNTED.map((name) => `${name}: ${result.counts[name]}`).join(', '));
  // A play that failed in the past is about one thing, and a mutant may prevent the rest.
  const short = values.found || stopAtFirst ? [] : shortOf(result.counts, result.played);
  for (const line of short) print(`too little happened: ${line}`);
  print(`violations: ${result.failed.length}`);
  if (short.length > 0) return false;
  return result.failed.length > 0 === stopAtFirst;
}

const { without } = values;
print(`seed ${values.seed}, ${values.plays} plays${without ? `, without ${without}` : ''}`);
process.exitCode = (await (without === 'all' ? playWithoutEach() : playAll(without))) ? 0 : 1;
