import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { ownCacheFolder } from '../../../src/compile-cache.ts';
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

  test("is kept nowhere, not even in the shared folder, if others may write in the user's own folder", () => {
    const { cache, tmp } = runHelp((home) => {
      mkdirSync(join(home, '.cache/countermand/compiled'), { recursive: true });
      chmodSync(join(home, '.cache/countermand/compiled'), 0o777);
    });
    expect([readdirSync(cache), readdirSync(tmp)]).toEqual([[], []]);
  });
});

describe('the folder of what Node has compiled', () => {
  /** Finds the folder of a user with this home. */
  function findIn(home: string) {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HOME', home);
    return ownCacheFolder();
  }
  const all = (home: string) => readdirSync(home, { recursive: true });

  test('is in the home of its user', () => {
    const home = temporaryFolder();
    expect(findIn(home)).toBe(join(home, '.cache/countermand/compiled'));
  });

  test('is not where others could replace it', () => {
    const home = temporaryFolder();
    chmodSync(home, 0o777);
    expect([findIn(home), all(home)]).toEqual([undefined, []]);
  });

  test('is not where others could add to it, though they can remove nothing', () => {
    const home = temporaryFolder();
    const folder = join(home, '.cache/countermand/compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    expect(findIn(home)).toBeUndefined();
  });

  const BETWEEN = ['home/.cache', 'home/.cache/countermand'];

  test.each(['', ...BETWEEN])('is not below a folder that others could replace: "%s"', (folder) => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'home/.cache/countermand'), { recursive: true });
    chmodSync(join(root, folder), 0o777);
    expect(findIn(join(root, 'home'))).toBeUndefined();
  });

  test.each([...BETWEEN, 'home/.cache/countermand/compiled'])('is not where a link leads: %s', (link) => {
    const root = temporaryFolder();
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(temporaryFolder(), join(root, link));
    expect(findIn(join(root, 'home'))).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)("is not root's in another user's home or folder", () => {
    const home = temporaryFolder();
    chownSync(home, SOMEBODY_ELSE, SOMEBODY_ELSE);
    expect([findIn(home), all(home)]).toEqual([undefined, []]);
    const own = temporaryFolder();
    const theirs = join(own, '.cache/countermand/compiled');
    mkdirSync(theirs, { recursive: true, mode: 0o700 });
    chownSync(theirs, SOMEBODY_ELSE, SOMEBODY_ELSE);
    expect(findIn(own)).toBeUndefined();
  });

  test('is not there for a user without a home, or one that takes no folder', () => {
    expect(findIn(join(temporaryFolder(), 'none'))).toBeUndefined();
    const home = temporaryFolder();
    writeFileSync(join(home, '.cache'), '');
    expect(findIn(home)).toBeUndefined();
  });
});
