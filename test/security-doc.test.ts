import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '../src/slack/client/access.ts';

const ROOT = join(import.meta.dirname, '..');
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

test('docs/security.md says of every scope why, and of no other', () => {
  const [, table = ''] = text.match(/\| scope \| why \|\n(.*?)\n\n/s) ?? [];
  const named = table.split('\n').flatMap((row) => {
    const [, scopes = ''] = row.split('|');
    return [...scopes.matchAll(/`([\w:]+)`/g)].map(([, scope]) => scope);
  });
  expect(named.sort()).toEqual([...SCOPES].sort());
});

test('each threat in docs/security.md is held by tests that exist', () => {
  const [, table = ''] = text.match(/\| threat \|[^\n]+\n\|[-|]+\n(.*?)\n\n/s) ?? [];
  const rows = table.split('\n');
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(tests, row).not.toEqual([]);
    for (const path of tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});
