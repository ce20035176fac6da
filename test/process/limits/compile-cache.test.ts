import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { BIN } from '../support/sandbox-and-bot.ts';

/** Runs a terminal command of a user with this home. @returns its home, and the temporary folder that it shares with others */
function runHelp(prepare: (home: string) => void = () => {}, entry = inject('bundle')) {
  const [home, tmp] = [temporaryFolder(), temporaryFolder()];
  prepare(home);
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: tmp };
  const { stderr, stdout } = spawnSync(process.execPath, [entry, 'help'], { env, encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toContain('countermand rotate-keys');
  return { home, tmp, cache: join(home, '.cache/countermand/compiled') };
}

/** Any user but the one who runs the tests. */
const SOMEBODY_ELSE = 12_345;

describe('what Node has compiled', () => {
  test.each([
    ['from a clone', () => BIN],
    ['of the bundle', () => inject('bundle')],
  ])('is kept in a folder of the user alone, and nothing in the shared one, %s', (_how, entry) => {
    const { tmp, cache } = runHelp(undefined, entry());
    expect(readdirSync(tmp)).toEqual([]);
    expect(lstatSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache)).not.toEqual([]);
  });

  test('is not kept where others may write', () => {
    const { cache } = runHelp((home) => {
      mkdirSync(join(home, '.cache/countermand/compiled'), { recursive: true });
      chmodSync(join(home, '.cache/countermand/compiled'), 0o777);
    });
    expect(readdirSync(cache)).toEqual([]);
  });

  test('is not kept in a folder that others could replace', () => {
    const { cache } = runHelp((home) => chmodSync(home, 0o777));
    expect(existsSync(cache)).toBe(false);
  });

  test('is not kept where a link leads', () => {
    const elsewhere = temporaryFolder();
    runHelp((home) => {
      mkdirSync(join(home, '.cache/countermand'), { recursive: true });
      symlinkSync(elsewhere, join(home, '.cache/countermand/compiled'));
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("is not kept by root in another user's home or folder", () => {
    const { cache } = runHelp((home) => chownSync(home, SOMEBODY_ELSE, SOMEBODY_ELSE));
    expect(existsSync(cache)).toBe(false);
    const { cache: theirs } = runHelp((home) => {
      mkdirSync(join(home, '.cache/countermand/compiled'), { recursive: true, mode: 0o700 });
      chownSync(join(home, '.cache/countermand/compiled'), SOMEBODY_ELSE, SOMEBODY_ELSE);
    });
    expect(readdirSync(theirs)).toEqual([]);
  });

  test('is not kept by a user without a home', () => {
    const { tmp } = runHelp((home) => chmodSync(home, 0o500));
    expect(readdirSync(tmp)).toEqual([]);
  });
});
