import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { BIN, sandbox } from './support/sandbox-and-bot.ts';

describe('the bot as a process', () => {
  test('tells every mistake of its configuration at once, and does not start', async () => {
    const bot = startBot(inject('bundle'), { PORT: 'x', ORDER_SERVICE_URL: 'http://orders.example' });
    expect(await bot.ended).toBe(1);
    const lines = bot.output().trim().split('\n');
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        level: 50,
        version: VERSION,
        msg: expect.stringMatching(/^[A-Z_]+ (is missing\.|must be ).*/),
      });
    }
    const read = startBot(inject('bundle'), {
      PORT: 'x',
      ORDER_SERVICE_URL: 'http://orders.example',
      LOG_FORMAT: 'pretty',
    });
    expect(await read.ended).toBe(1);
    const sentences = lines.map((line) => JSON.parse(line).msg);
    expect(read.output().trim().split('\n')).toEqual([
      ...sentences,
      expect.stringContaining('countermand setup'),
    ]);
  });

  test('says so in one sentence when Slack refuses its token', async () => {
    const { start } = await sandbox();
    const bot = start({ SLACK_BOT_TOKEN: 'xoxb-wrong-4711' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /"msg":"Countermand could not start: .*SLACK_BOT_TOKEN \(invalid_auth\)\. Copy it again/m,
    );
    expect(bot.output()).not.toContain('wrong-4711');
  });

  test('says so in one sentence when Slack refuses its app-level token', async () => {
    const { start } = await sandbox();
    const bot = start({ SLACK_APP_TOKEN: 'xapp-wrong-4711' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /"msg":"Countermand could not start: .*SLACK_APP_TOKEN \(invalid_auth\): it must be an app-level token/m,
    );
    expect(bot.output()).not.toContain('wrong-4711');
  });

  test('says that it is not ready before it stops, works on until then, and waits for no connection that says nothing', async () => {
    const { start, slack, env } = await sandbox();
    const bot = start({ DRAIN_SECONDS: '2' });
    await bot.ready;
    const ready = async () => (await fetch(`${env['PUBLIC_URL']}/readyz`)).status;
    expect(await ready()).toBe(200);
    const silent = connectSocket(Number(env['PORT']), '127.0.0.1');
    silent.on('error', () => {});
    await once(silent, 'connect');
    const ended = bot.kill('SIGTERM');
    await expect.poll(ready, { interval: 10 }).toBe(503);
    const seen = await slack.person('ana').command('/countermand help', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
    expect(await ended).toBe(0);
  });

  test('says in one sentence that its port is taken, and exits with 1', async () => {
    const { start, slack } = await sandbox();
    const { port } = new URL(slack.apiUrl);
    const bot = start({ PORT: port });
    bot.ready.catch(() => {});
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain(`Something else listens on port ${port} already.`);
  });

  test.each([
    ['HOST', '203.0.113.1'],
    ['METRICS_HOST', 'no-such-host.invalid'],
  ])('says which variables to mend where it cannot listen, and exits with 1: %s', async (name, host) => {
    const { start } = await sandbox();
    const bot = start({ METRICS_PORT: `${await freePort()}`, [name]: host });
    bot.ready.catch(() => {});
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      new RegExp(`could not start: .*${host}.*\\. HOST and METRICS_HOST must be addresses of this machine`),
    );
  });

  test('works over Socket Mode, shows no secret in its log at any level, and exits with 0', async () => {
    const { start, slack, env, journal } = await sandbox();
    slack.connectApp({ socketMode: true });
    const bot = start({ SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: slack.appToken, LOG_LEVEL: 'trace' });
    await bot.ready;
    const seen = await slack.person('ana').command('/countermand help', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
    slack.sockets.drop();
    await journal.waitFor({ kind: 'socket', name: 'close' });
    expect(await bot.kill('SIGTERM')).toBe(0);
    for (const hidden of [slack.appToken, env['SLACK_BOT_TOKEN']]) expect(bot.output()).not.toContain(hidden);
  });

  test.each([
    ['with the Node that npm install brings', true, /run it with "npm start"/],
    ['after npm install --omit=dev, which brings none', false, /install that .*without --omit=dev/],
  ])('says so in one sentence on an old Node, %s', (_how, hasOwn, help) => {
    const text = readFileSync(join(import.meta.dirname, '../../', BIN), 'utf8');
    // The launcher is the one file that an old Node reads; what it says is decided by the version and by what lies there.
    const old = text
      .replaceAll('process.versions.node', "'20.1.0'")
      .replaceAll('process.version', "'v20.1.0'");
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    if (hasOwn) {
      mkdirSync(join(folder, 'node_modules/node'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/node/package.json'), '{}');
    }
    writeFileSync(join(folder, BIN), old);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, BIN)], { encoding: 'utf8' });
    expect([status, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^Countermand needs Node\.js 26 or newer, and this is v20\.1\.0: /)],
    ]);
    expect(stderr).toMatch(help);
  });

  test('lets what is under way finish on SIGTERM, also if SIGINT follows, and exits with 0', async () => {
    const { start, connect, slack, service, journal } = await sandbox();
    const bot = start();
    await bot.ready;
    await connect(SEED_TOKENS.acme.rest);
    const held = service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await held.reached;
    const ended = bot.kill('SIGTERM');
    await expect.poll(() => bot.output()).toContain('stopping');
    bot.child.kill('SIGINT');
    held.release();
    expect(await ended).toBe(0);
    expect(bot.output().split('stopping: finishing')).toHaveLength(2);
    expect(bot.output()).toContain('Countermand has stopped');
    // It has begun nothing new after the call.
    expect(slack.messages('#support').filter(({ text }) => text.includes('is cancelled'))).toEqual([]);
    // The next process takes over the work that it gave back.
    await start().ready;
    await slack.waitForMessage({ channel: '#support', text: /<@\w+>: Order A-1001 is cancelled/ });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(journal.entries({ name: 'cancel_order' })[0]?.ended).toBe('answered');
  });
});

test.each([false, true])('a log that cannot be written ends nothing, and goes on (pretty: %s)', (pretty) => {
  const path = join(temporaryFolder(), 'log');
  const script = `
    import { truncateSync } from 'node:fs';
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/log.ts'))});
    const log = await createLogger({ level: 'info', pretty: ${pretty} });
    log.info({}, 'x'.repeat(600));
    log.info({}, 'the disk is full');
    truncateSync('${path}');
    log.info({}, 'the disk has room');`;
  const onFullDisk = `trap '' XFSZ; ulimit -f 1; exec "$0" --input-type=module --eval "$1" >> '${path}'`;
  const args = ['-c', onFullDisk, process.execPath, script];
  const { status, stderr } = spawnSync('/bin/sh', args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(readFileSync(path, 'utf8')).toContain('the disk has room');
});

describe('a second bot on one SQLite file', () => {
  test('does not start, and takes over once the first one was killed', async () => {
    const { start, env } = await sandbox();
    const first = start();
    await first.ready;
    const second = start({ PORT: '0' });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      /could not start: .*Another bot uses the database .*bot\.db \(STORAGE_URL\)/,
    );
    const link = join(temporaryFolder(), 'link.db');
    symlinkSync((env['STORAGE_URL'] ?? '').replace('sqlite:', ''), link);
    const byLink = start({ PORT: '0', STORAGE_URL: `sqlite:${link}` });
    expect(await byLink.ended).toBe(1);
    expect(byLink.output()).toMatch(/could not start: .*Another bot uses the database/);
    await first.kill('SIGKILL');
    await start().ready;
  });

  test('is told apart from a STORAGE_URL that leads nowhere', async () => {
    const { start } = await sandbox();
    const folder = temporaryFolder();
    const bot = start({ STORAGE_URL: `sqlite:${folder}` });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain(
      `The database ${folder} (STORAGE_URL) cannot be opened. It must be a file`,
    );
  });
});

describe('a key that does not fit what is stored', () => {
  const key = () => `local:${randomBytes(32).toString('base64')}`;

  test('is told at the start by the number of workspaces, and by no name or secret', async () => {
    const { start, connect } = await sandbox();
    expect(await connect(SEED_TOKENS.acme.rest)).toMatchObject({ code: 0 });
    const bot = start({ SECRET_KEYS: key() });
    await expect.poll(bot.output).toContain('cannot be opened by any key (SECRET_KEYS, or the key file)');
    const line = bot
      .output()
      .split('\n')
      .find((each) => each.includes('SECRET_KEYS'));
    expect(JSON.parse(line ?? '')).toMatchObject({ unopened: 1 });
    expect(line).not.toContain(SEED.team);
  });
});
