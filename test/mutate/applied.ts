/** Passes a mutant to the processes that run it: a variable names it, and its file is changed as it is loaded. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';

export const ROOT: string = join(import.meta.dirname, '../..');

/** `file`: its path in the project: "src/jobs/runner.ts". */
export type Placed = Mutant & { file: string };

const VARIABLE = 'COUNTERMAND_MUTANT';

/** @returns the environment of a process that runs a mutant */
export const environmentOf = (mutant: Placed): Record<string, string> => ({
  [VARIABLE]: JSON.stringify(mutant),
});

/** The mutant that this process has to run; undefined: none. */
export function ownMutant(): Placed | undefined {
  const given = process.env[VARIABLE];
  return given === undefined ? undefined : (JSON.parse(given) as Placed);
}

/** @throws if the source has changed since the mutant was found */
export function mutated({ start, end, from, to }: Mutant, source: string): string {
  if (source.slice(start, end) !== from) throw new Error(`The source does not hold "${from}" at ${start}.`);
  return source.slice(0, start) + to + source.slice(end);
}

/** Printed when the changed source is loaded: a run that does not print it has not tested the mutant. */
export const LOADED = 'The mutant is loaded.';

/** @returns the changed source, if the module of this path is the one to change */
export function loadMutated(path: string, mutant: Placed | undefined): string | undefined {
  if (!mutant || path !== join(ROOT, mutant.file)) return undefined;
  process.stdout.write(`${LOADED}\n`);
  return mutated(mutant, readFileSync(path, 'utf8'));
}

/** Changes what Node loads from now on, as a Vite plugin does for vitest. */
export function hookMutant(mutant: Placed): void {
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') ? loadMutated(fileURLToPath(url), mutant) : undefined;
      const loaded = next(url, context);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}
