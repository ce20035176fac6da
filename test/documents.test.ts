import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** A path of this repository in code quotes; one with a placeholder or several choices is not. */
const PATH = /`((?:src|test|sandbox|bench|docs|bin)\/[\w./-]+)`/g;

test.each(globSync(['*.md', 'docs/*.md', 'sandbox/*.md'], { cwd: ROOT }))(
  '%s names files that exist',
  (file) => {
    const named = [...readFileSync(join(ROOT, file), 'utf8').matchAll(PATH)].map(([, path = '']) => path);
    const from = [ROOT, join(ROOT, dirname(file))];
    expect(named.filter((path) => !from.some((folder) => existsSync(join(folder, path))))).toEqual([]);
  },
);
