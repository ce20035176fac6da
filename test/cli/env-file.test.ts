/** The file .env that setup writes: Node reads back each value, and nobody else reads it. */
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writeEnvFile } from '../../src/cli/setup.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

function enterFolder(): void {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(temporaryFolder());
}

test('every value is read back as it was given, by its owner alone', () => {
  enterFolder();
  const given = { PORT: '3000', HASH: 'a#b', SPACE: 'a b', APOSTROPHE: "a'b", QUOTE: `a"'b`, TICK: 'a`b"c' };
  writeEnvFile(given);
  expect(parseEnv(readFileSync('.env', 'utf8'))).toEqual(given);
  expect(statSync('.env').mode & 0o777).toBe(0o600);
});

test('a file that somebody else has written meanwhile is kept', () => {
  enterFolder();
  writeEnvFile({ KEPT: '1' });
  expect(() => writeEnvFile({ NEW: '1' })).toThrow('EEXIST');
  expect(readFileSync('.env', 'utf8')).toBe('KEPT=1\n');
});

test('a value that Node could not read back is refused', () => {
  enterFolder();
  expect(() => writeEnvFile({ NAME: `a'b"c\`` })).toThrow(
    'NAME cannot be written to .env: it has all three quotes.',
  );
});
