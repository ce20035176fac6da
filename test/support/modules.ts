/** Reads the modules of the project, and what they import, for test/architecture.test.ts. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Reads the modules below a folder of the project, and what they import. @returns paths from that folder */
export function readModules(folder: string) {
  const root = join(ROOT, folder);
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['node_modules'] });
  const source = (file: string) => readFileSync(join(root, file), 'utf8');
  const imports = files.flatMap((file) =>
    [...source(file).matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, specifier = '']) => ({
      file,
      specifier,
    })),
  );
  const local = imports
    .filter(({ specifier }) => specifier.startsWith('.') && specifier !== '../package.json')
    .map(({ file, specifier }) => ({ file, to: relative(root, join(root, dirname(file), specifier)) }));
  return { files, source, imports, local };
}

type Modules = Pick<ReturnType<typeof readModules>, 'files' | 'local'>;

/** Maps each entry of `folder`, a file or a folder in it, to the other entries of `folder` that it imports. */
export function importsWithin(folder: string, { files, local }: Modules): Map<string, Set<string>> {
  const below = folder === '.' ? '' : `${folder}/`;
  const entry = (file: string) => file.slice(below.length).split('/')[0] as string;
  const own = files.filter((file) => file.startsWith(below)).map(entry);
  const between = new Map(own.map((name) => [name, new Set<string>()]));
  for (const { file, to } of local) {
    if (!file.startsWith(below) || !to.startsWith(below) || entry(file) === entry(to)) continue;
    between.get(entry(file))?.add(entry(to));
  }
  return between;
}

/** Returns the folders that hold a file, from the nearest one to '.'. */
export function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)];
}

/**
 * Returns the entries that are in an import cycle or lead to one. All others can be removed one by one, each when it imports
 * nothing that is left.
 */
export function inCycles(graph: Map<string, Set<string>>): string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, to]) => ![...to].some((each) => left.has(each)));
    if (free.length === 0) return [...left.keys()];
    for (const [name] of free) left.delete(name);
  }
}
