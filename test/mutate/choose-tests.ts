/** Chooses the test files that can notice a mutant, by the recorded map of which of them calls which function. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Placed, ROOT } from './applied.ts';
import type { Recorded } from './record.ts';

/** What is kept between runs. Deleted with node_modules. */
export const CACHE: string = join(ROOT, 'node_modules/.cache/mutate');
/** The map: a file for each test file. */
export const RECORDED: string = join(CACHE, 'recorded');

/** Milliseconds that the first tests took in the record; the simulation runs before the slower ones. */
const QUICK_MS = 40_000;
/** The same of all tests of one mutant: more of them than this call only what everything calls. */
const MOST_MS = 240_000;

/** @throws if nothing was recorded yet */
export function readMap(): Recorded[] {
  mkdirSync(RECORDED, { recursive: true });
  const map = readdirSync(RECORDED).map(
    (file): Recorded => JSON.parse(readFileSync(join(RECORDED, file), 'utf8')),
  );
  if (map.length === 0) throw new Error('No map is recorded: npm run mutate -- --record');
  return map.sort((a, b) => a.ms - b.ms);
}

/**
 * The test files that call the function around a mutant, or that load its module if none calls it by that name, the fastest
 * first.
 */
export function testsFor(
  map: readonly Recorded[],
  { file, within }: Placed,
): { quick: string[]; slow: string[] } {
  const calling = map.filter(({ called }) => within !== undefined && called[file]?.includes(within));
  const chosen = calling.length > 0 ? calling : map.filter(({ called }) => file in called);
  const sums = chosen.map(({ ms }, n) => ms + chosen.slice(0, n).reduce((sum, each) => sum + each.ms, 0));
  const between = (from: number, to: number) =>
    chosen.filter((_, n) => (sums[n] ?? 0) > from && (sums[n] ?? 0) <= to).map(({ test }) => test);
  return { quick: between(0, QUICK_MS), slow: between(QUICK_MS, MOST_MS) };
}
