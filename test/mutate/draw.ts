/** Draws the mutants of a folder from a seed: the kinds in turn, so that a rare kind is drawn, too. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../chaos/random.ts';
import { type Placed, ROOT } from './applied.ts';
import { KINDS, mutantsOf } from './mutants.ts';

/** The folders of src, and the files at its top, of which each has its own share of mutants. */
export const FOLDERS: readonly string[] = [
  ...readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`)
    .sort(),
  'src/*.ts',
];

/**
 * @param path a folder of the project, or a file or pattern of files
 * @returns at most `count` mutants, the same for the same seed and source
 */
export function drawMutants(path: string, count: number, seed: number): Placed[] {
  const files = globSync(path.endsWith('.ts') ? path : `${path}/**/*.ts`, { cwd: ROOT }).sort();
  if (files.length === 0) throw new Error(`There is no source at ${path}.`);
  const all = files.flatMap((file) =>
    mutantsOf(readFileSync(join(ROOT, file), 'utf8')).map((mutant): Placed => ({ ...mutant, file })),
  );
  const random = createRandom(seed, `mutants of ${path}`);
  const queues = KINDS.map((kind) => random.shuffled(all.filter((mutant) => mutant.kind === kind)));
  const drawn: Placed[] = [];
  while (drawn.length < count && queues.some(({ length }) => length > 0))
    for (const queue of queues) drawn.push(...queue.splice(0, 1));
  return drawn.slice(0, count);
}
