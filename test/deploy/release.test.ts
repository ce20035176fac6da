/** The files of a release, and docs/deploying.md, as somebody new follows it from them to a request that is answered. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { SCOPES } from '../../src/slack/client/access.ts';
import { VERSION } from '../../src/version.ts';
import { needsTerminal, startAtTerminal } from '../process/support/at-terminal.ts';
import { commandsUnder, runDocumented, startDocumented } from '../process/support/documented.ts';
import { brokenLinks } from '../support/broken-links.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/deploying.md';

const release = (...args: string[]) =>
  spawnSync(process.execPath, ['tools/release.ts', ...args], { cwd: ROOT, encoding: 'utf8' });

const made = mkdtempSync(join(tmpdir(), 'countermand-release-'));
beforeAll(() => {
  expect(release('--into', made)).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(made, { recursive: true }));

/** A folder with the files of the release alone. */
function downloaded(): string {
  const folder = temporaryFolder();
  cpSync(made, folder, { recursive: true });
  return folder;
}

test('a release is one archive that works where it is unpacked, its checksums, and what it is made of', async () => {
  const folder = downloaded();
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
  const documents = globSync('**/*.md', { cwd: unpacked });
  expect(documents.flatMap((file) => brokenLinks(unpacked, file))).toEqual([]);
  const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^undici \S+ \(MIT\)\n\nMIT License/m);
});

test('a tag that is not the version is refused', () => {
  const refused = release('--into', temporaryFolder(), '--tag', 'v9.9.9');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`The tag is v9.9.9, and package.json says ${VERSION}.`);
});

describe('a release', () => {
  needsTerminal();
  needsRedis(true);

  test('leads by the commands of its document to a bot that works on Redis', async () => {
    const journal = createJournal();
    const service = await startOrderService({ journal });
    const slack = await startSlack({ journal, scopes: SCOPES });
    onTestFinished(async () => {
      await slack.close();
      await service.close();
    });
    const [port, redisPort] = [await freePort(), await freePort()];
    const address = `http://127.0.0.1:${port}/`;
    slack.connectApp({ requestUrl: `${address}slack/events` });

    const files = downloaded();
    expect(runDocumented('Unpack a release', files, {}, { page: PAGE })).toContain('OK');
    const folder = join(files, `countermand-${VERSION}`);

    const { PATH = '', HOME = '' } = process.env;
    const setup = startAtTerminal(
      commandsUnder('Set it up', PAGE).trim().replace('node', `'${process.execPath}'`),
      {
        cwd: folder,
        env: { PATH, HOME, HOST: '127.0.0.1', SLACK_API_URL: slack.apiUrl, BROWSER: 'none' },
      },
    );
    await setup.answer('Address of this bot', address);
    await setup.answer('Port on which it listens', `${port}`);
    await setup.answer('Can Slack reach that address?', 'y');
    await setup.answer('Open it in a browser', '');
    await setup.answer('Signing secret', slack.signingSecret);
    await setup.answer('Bot token', slack.installation().token);
    await setup.answer('Address of the order service', service.url);
    expect(await setup.ended).toBe(0);

    const replaced = { 6379: `${redisPort}`, T0123456789: SEED.team };
    runDocumented('Prepare Redis', folder, {}, { page: PAGE, replaced });
    for (const secretive of ['.env', 'users.acl', 'redis-admin-password'])
      expect(statSync(join(folder, secretive)).mode & 0o777).toBe(0o600);
    const where = `redis-server --port ${redisPort} --bind 127.0.0.1 --dir '${temporaryFolder()}'`;
    const byPath = { 'redis-server': where, 'users.acl': join(folder, 'users.acl') };
    const redis = startDocumented('Start Redis', folder, { page: PAGE, replaced: byPath });
    await expect.poll(redis.output).toContain('Ready to accept connections');
    const bot = startDocumented('Start the bot', folder, { page: PAGE, variables: { LOG_FORMAT: 'json' } });
    await expect.poll(bot.output).toContain('Countermand is ready');
    expect(bot.output()).toContain('"storage":"redis"');
    writeFileSync(join(folder, 'token.txt'), `${SEED_TOKENS.acme.rest}\n`);
    const connecting = startDocumented('Connect a workspace', folder, { page: PAGE, replaced });
    expect([await connecting.ended, connecting.output()]).toEqual([0, expect.any(String)]);
    expect(existsSync(join(folder, 'token.txt'))).toBe(false);
    expect(connecting.output()).toMatch(/^ok +storage: /m);
    expect(connecting.output()).toMatch(/^ok +order service: accepts the token/m);

    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await slack.waitForMessage({ channel: '#support', text: /Order A-1001 is cancelled/ });

    // The folders of a service; its user and systemd itself are not there.
    const system = temporaryFolder();
    for (const each of ['opt', 'etc/systemd/system']) mkdirSync(join(system, each), { recursive: true });
    const within = {
      ' /opt': ` ${system}/opt`,
      ' /etc': ` ${system}/etc`,
      useradd: ': ',
      'systemctl ': ': ',
      'systemd-run': ': ',
    };
    // As root reads the page: from top to bottom, in one shell. Without the file of users, which the first time made.
    for (const file of ['users.acl', 'redis-admin-password']) rmSync(join(folder, file));
    writeFileSync(join(folder, 'token.txt'), '');
    runDocumented(['Prepare Redis', 'Install the service'], folder, {}, { page: PAGE, replaced: within });
    expect(statSync(join(system, 'etc/countermand/env')).mode & 0o777).toBe(0o600);
    for (const installed of ['opt/countermand/countermand.mjs', 'etc/systemd/system/countermand.service'])
      expect(statSync(join(system, installed)).mode & 0o777).toBe(0o644);
  });
});
