import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOnPath } from '../../lib/on-path.ts';

/** A folder with one program in it. */
function install(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, name);
  writeFileSync(program, '', { mode: 0o755 });
  return program;
}

test('finds a program by its name on PATH, in order of preference', () => {
  const node = findOnPath('no-such-program', 'node');
  expect(node).toMatch(/node$/);
  expect(findOnPath('node', 'sh')).toBe(node);
  expect(findOnPath('no-such-program')).toBeUndefined();
});

test('finds a program outside of PATH by its absolute path', () => {
  const program = install('balancer');
  expect(findOnPath('balancer')).toBeUndefined();
  expect(findOnPath('balancer', program)).toBe(program);
});
