/** Applies a mutant: changes the source of the bot as it is loaded. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GUARDS, type Mutant } from './guards.ts';

const SRC = new URL('../../../src/', import.meta.url);

/** @returns the source without the guard @throws if the source has changed, so that GUARDS must be changed, too */
export function applyMutant({ file, from, to }: Mutant, source: string): string {
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
  return source.replace(from, () => to);
}

/** Removes the guard from modules that are loaded from now on. @throws if there is no such guard */
export function removeGuard(name: string): void {
  const mutant = GUARDS[name];
  if (!mutant) throw new Error(`There is no guard "${name}". There are: ${Object.keys(GUARDS).join(', ')}.`);
  const target = fileURLToPath(new URL(mutant.file, SRC));
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || fileURLToPath(url) !== target) return loaded;
      return { ...loaded, source: applyMutant(mutant, String(loaded.source)) };
    },
  });
}

/** Returns the violation that shows that a mutant does not run: it proves nothing about the guard. */
export const mistakeIn = (violations: readonly string[]): string | undefined =>
  violations.find((violation) => /\b(?:Reference|Type)Error\b/.test(violation));
