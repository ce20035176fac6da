import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import project from '../package.json' with { type: 'json' };
import { auditLine } from '../src/export.ts';
import { NOT_STORED } from '../src/outbox/record-store.ts';
import { sendingPaused } from '../src/requests/model/audit-entry.ts';
import { brokenLinks } from './support/broken-links.ts';
import { KINDS } from './support/seen-requests.ts';

const ROOT = join(import.meta.dirname, '..');

/** A path of this repository in code quotes; one with a placeholder or several choices is not. */
const PATH = /`((?:src|test|sandbox|bench|docs|bin)\/[\w./-]+)`/g;

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'sandbox/*.md'], { cwd: ROOT });

test.each(DOCUMENTS)('%s names files that exist', (file) => {
  const named = [...readFileSync(join(ROOT, file), 'utf8').matchAll(PATH)].map(([, path = '']) => path);
  const from = [ROOT, join(ROOT, dirname(file))];
  expect(named.filter((path) => !from.some((folder) => existsSync(join(folder, path))))).toEqual([]);
});

test.each(DOCUMENTS)('%s links to files and headings that exist', (file) => {
  expect(brokenLinks(ROOT, file)).toEqual([]);
});

test.each(Object.values(KINDS))('the table of README.md has $command', ({ command }) => {
  const rows = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n');
  expect(rows.some((row) => row.startsWith('| ') && row.includes(`\`${command} `))).toBe(true);
});

test('the documents and package.json name the Node that is brought, and so tested', () => {
  const brought = /\d+/.exec(project.devDependencies.node)?.[0];
  expect(project.engines.node).toBe(`>=${brought}`);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`brings the right Node (${brought})`);
  expect(readFileSync(join(ROOT, 'docs/running.md'), 'utf8')).toContain(
    `It runs on Node ${brought} or newer`,
  );
  expect(readFileSync(join(ROOT, 'bin/countermand.mjs'), 'utf8')).toContain(`const NEEDED = ${brought};`);
});

test('docs/running.md shows a line of the audit stream as the bot writes it', () => {
  const at = Date.UTC(2026, 10, 24, 9);
  const paused = sendingPaused({ workspace: 'T0ACME0001', by: 'U0OLGA0001', at, former: undefined });
  const line = auditLine({ ...paused, version: NOT_STORED });
  expect(readFileSync(join(ROOT, 'docs/running.md'), 'utf8')).toContain(`\n    ${line}`);
});
