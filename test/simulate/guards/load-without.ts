/**
 * Loads the bot once more, with a guard removed. Its modules have the guard in their URL, so that many such bots fit into one
 * thread, and the packages are loaded once.
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { GUARDS } from './guards.ts';
import { applyMutant } from './remove-guard.ts';

const SRC = new URL('../../../src/', import.meta.url);

/** JavaScript by the URL of its TypeScript. Node would strip the types again for each guard, which took half of the time. */
const stripped = new Map<string, string>();

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const guard = guardOf(context.parentURL);
    const isTypeScript = resolved.format === 'module-typescript';
    return guard && isTypeScript ? { ...resolved, url: `${resolved.url}?without=${guard}` } : resolved;
  },
  load(url, context, next) {
    const mutant = GUARDS[guardOf(url) ?? ''];
    if (!mutant) return next(url, context);
    const [file = ''] = url.split('?');
    const read = () => String(next(url, context).source);
    const isMutated = file === new URL(mutant.file, SRC).href;
    const source = isMutated ? stripTypeScriptTypes(applyMutant(mutant, read())) : strippedOnce(file, read);
    return { format: 'module', source, shortCircuit: true };
  },
});

const guardOf = (url = '') => new URLSearchParams(url.split('?')[1]).get('without');

function strippedOnce(file: string, read: () => string): string {
  const source = stripped.get(file) ?? stripTypeScriptTypes(read());
  stripped.set(file, source);
  return source;
}

/** Loads a bot without this guard. All modules that it imports belong to the same bot. */
export const loadWithout = (guard: string): Promise<typeof import('../play.ts')> =>
  import(`../play.ts?without=${guard}`);
