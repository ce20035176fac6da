/** Chooses the test files that can notice a mutant, by the recorded map of which of them calls which function. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Placed, ROOT } from './applied.ts';
import type { Recorded } from './record.ts';

/** The folder of what is kept between runs. It is deleted with node_modules. */
export const CACHE: string = join(ROOT, 'node_modules/.cache/mutate');
/** The folder of the map, which has a file for each test file. */
export const RECORDED: string = join(CACHE, 'recorded');

/**
 * The tests of one mutant run in three batches. Each ends at this sum of the milliseconds that its tests, and those before
 * them, took when the map was recorded. Tests beyond the last batch do not run: they call what almost every test calls.
 */
const BATCHES_MS = [15_000, 60_000, 240_000];

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
 * The test files that call the function around a mutant, or that load its module if none calls it by that name: those of its
 * folder first, then the fastest.
 *
 * @returns the batches, of which each may be empty
 */
export function testsFor(map: readonly Recorded[], { file, within }: Placed): string[][] {
  const calling = map.filter(({ called }) => within !== undefined && called[file]?.includes(within));
  const chosen = calling.length > 0 ? calling : map.filter(({ called }) => file in called);
  const folder = file.replace('src/', 'test/').slice(0, file.indexOf('/', 'src/'.length) + 2);
  const [near = [], far = []] = [true, false].map((isNear) =>
    chosen.filter(({ test }) => test.startsWith(folder) === isNear),
  );
  const batches = BATCHES_MS.map((): string[] => []);
  let sum = 0;
  for (const { test, ms } of [...near, ...far]) {
    sum += ms;
    batches[BATCHES_MS.findIndex((most) => sum <= most)]?.push(test);
  }
  return batches;
}
