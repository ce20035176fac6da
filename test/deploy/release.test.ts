import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const ROOT = join(import.meta.dirname, '../..');

const release = (...args: string[]) =>
  spawnSync(process.execPath, ['tools/release.ts', ...args], { cwd: ROOT, encoding: 'utf8' });

test('a release is one archive that works where it is unpacked, its checksums, and what it is made of', async () => {
  const folder = temporaryFolder();
  expect(release('--into', folder)).toMatchObject({ status: 0 });
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe(
    `countermand-${VERSION}.tar.gz: OK\nsbom.cdx.json: OK\n`,
  );
  const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'));
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['@slack/bolt', 'undici', 'pino']));
  expect(names).not.toContain('vitest');

  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  execFileSync('tar', ['--extract', '--file', `../countermand-${VERSION}.tar.gz`], { cwd: elsewhere });
  const unpacked = join(elsewhere, `countermand-${VERSION}`);
  const version = startBot(join(unpacked, 'dist/countermand.mjs'), {}, ['--version']);
  expect(await version.ended).toBe(0);
  expect(version.output()).toContain(VERSION);
  const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^undici \S+ \(MIT\)\n\nMIT License/m);
});

test('a tag that is not the version is refused', () => {
  const refused = release('--into', temporaryFolder(), '--tag', 'v9.9.9');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`The tag is v9.9.9, and package.json says ${VERSION}.`);
});
