/**
 * Loads the bot once more, with a guard removed. Only the module that has it, and those that import that one, are loaded anew:
 * they have the guard in their URL, so that many such bots fit into one thread, and share all other modules.
 */
import { registerHooks } from 'node:module';
import { GUARDS } from './guards.ts';
import { applyMutant } from './remove-guard.ts';

const SRC = new URL('../../../src/', import.meta.url);

/** The importers of each module, by their URLs: in the bot that has all guards. */
const importersOf = new Map<string, Set<string>>();
/** By guard: the module that has it, and its importers, direct or not. */
const loadedAnew = new Map<string, Set<string>>();

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { parentURL = '' } = context;
    const guard = guardOf(parentURL);
    if (!guard) importersOf.set(resolved.url, (importersOf.get(resolved.url) ?? new Set()).add(parentURL));
    const isAnew = loadedAnew.get(guard)?.has(resolved.url);
    return isAnew ? { ...resolved, url: `${resolved.url}?without=${guard}` } : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const mutant = GUARDS[guardOf(url)];
    if (!mutant || url.split('?')[0] !== urlOf(mutant.file)) return loaded;
    return { ...loaded, source: applyMutant(mutant, String(loaded.source)) };
  },
});

const guardOf = (url: string) => new URLSearchParams(url.split('?')[1]).get('without') ?? '';

const urlOf = (file = '') => new URL(file, SRC).href;

/** Loads a bot without this guard. */
export async function loadWithout(guard: string): Promise<typeof import('../play.ts')> {
  await import('../play.ts');
  // A set takes in what is added while it is gone through.
  const anew = new Set([urlOf(GUARDS[guard]?.file)]);
  for (const url of anew) for (const importer of importersOf.get(url) ?? []) anew.add(importer);
  loadedAnew.set(guard, anew);
  return import(`../play.ts?without=${guard}`);
}
