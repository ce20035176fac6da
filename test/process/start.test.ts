import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/slack/client/scopes.ts';
import { VERSION } from '../../src/version.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const BIN = 'bin/countermand.mjs';

async function sandbox() {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal });
  const port = await freePort();
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  const env = botEnvironment({ slack, service }, { port, database: join(temporaryFolder(), 'bot.db') });
  slack.connectApp(appAddress(port));
  const start = (more: Record<string, string> = {}, args: string[] = []) => {
    const bot = startBot(BIN, { ...env, ...more }, args);
    onTestFinished(async () => void (await bot.kill()));
    return bot;
  };
  const run = async (args: string[], input = '') => {
    const { code, out, err } = await runInTerminal(env, args, input);
    return { code, output: out + err };
  };
  const connect = (token: string, ...args: string[]) =>
    run(['connect', '--workspace', SEED.team, '--token-stdin', ...args], `${token}\n`);
  return { journal, service, slack, env, start, run, connect };
}

describe('the bot as a process', () => {
  test('tells every mistake of its configuration at once, and does not start', async () => {
    const bot = startBot(BIN, { PORT: 'x', ORDER_SERVICE_URL: 'http://orders.example' });
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
    const read = startBot(BIN, {
      PORT: 'x',
      ORDER_SERVICE_URL: 'http://orders.example',
      LOG_FORMAT: 'pretty',
    });
    expect(await read.ended).toBe(1);
    const sentences = lines.map((line) => JSON.parse(line).msg);
    expect(read.output().trim().split('\n')).toEqual(sentences);
  });

  test('says so in one sentence when Slack refuses its token', async () => {
    const { start } = await sandbox();
    const bot = start({ SLACK_BOT_TOKEN: 'xoxb-wrong-4711' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /"msg":"Countermand could not start: .*SLACK_BOT_TOKEN \(invalid_auth\)\. Copy it again/m,
    );
    expect(bot.output()).not.toContain('4711');
  });

  test('says so in one sentence when Slack refuses its app-level token', async () => {
    const { start } = await sandbox();
    const bot = start({ SLACK_APP_TOKEN: 'xapp-wrong-4711' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /"msg":"Countermand could not start: .*SLACK_APP_TOKEN \(invalid_auth\): it must be an app-level token/m,
    );
    expect(bot.output()).not.toContain('4711');
  });

  test('says that it is not ready before it stops, and works on until then', async () => {
    const { start, slack, env } = await sandbox();
    const bot = start({ DRAIN_SECONDS: '2' });
    await bot.ready;
    const ready = async () => (await fetch(`${env['PUBLIC_URL']}/readyz`)).status;
    expect(await ready()).toBe(200);
    const ended = bot.kill('SIGTERM');
    await expect.poll(ready, { interval: 10 }).toBe(503);
    const seen = await slack.person('ana').command('/countermand help', { channel: '#support' });
    expect(seen.trouble).toBeUndefined();
    expect(await ended).toBe(0);
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
      [expect.stringMatching(/^Countermand needs Node\.js 24 or newer, and this is v20\.1\.0: /)],
    ]);
    expect(stderr).toMatch(help);
  });

  test('lets what is under way finish on SIGTERM, and exits with 0', async () => {
    const { start, connect, slack, service, journal } = await sandbox();
    const bot = start();
    await bot.ready;
    await connect(SEED_TOKENS.acme.rest);
    const held = service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await held.reached;
    const ended = bot.kill('SIGTERM');
    await expect.poll(() => bot.output()).toContain('stopping');
    held.release();
    expect(await ended).toBe(0);
    expect(bot.output()).toContain('Countermand has stopped');
    // The next process takes over the work that it gave back.
    await start().ready;
    await slack.waitForMessage({ channel: '#support', text: /<@\w+>: Order A-1001 is cancelled/ });
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(journal.entries({ name: 'cancel_order' })[0]?.ended).toBe('answered');
  });

  test('stops though somebody holds a connection open and says nothing', { timeout: 30_000 }, async () => {
    const { start, env } = await sandbox();
    const bot = start();
    await bot.ready;
    const silent = connectSocket(Number(env['PORT']), '127.0.0.1');
    silent.on('error', () => {});
    await once(silent, 'connect');
    expect(await bot.kill('SIGTERM')).toBe(0);
  });

  test('needs no setup for its storage: the key file is made beside the database', async () => {
    const { start, env } = await sandbox();
    await start().ready;
    expect(existsSync(`${env['STORAGE_URL']?.slice('sqlite:'.length)}.key`)).toBe(true);
  });

  test('shows no secret in its log, at any level', async () => {
    const { start, connect, slack, env } = await sandbox();
    const bot = start({ LOG_LEVEL: 'trace' });
    await bot.ready;
    const { output } = await connect(SEED_TOKENS.acme.rest);
    const secret = /Secret: +(\S+)/.exec(output)?.[1] ?? '';
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await slack.waitForMessage({ channel: '#support', text: /is cancelled/ });
    await bot.kill('SIGTERM');
    for (const hidden of [
      secret,
      SEED_TOKENS.acme.rest,
      env['SLACK_BOT_TOKEN'],
      env['SLACK_SIGNING_SECRET'],
    ]) {
      expect(hidden).toBeTruthy();
      expect(bot.output()).not.toContain(hidden);
    }
  });
});

describe('countermand connect', () => {
  test('connects from the terminal, beside a bot that runs, and prints the URL and the secret', async () => {
    const { start, env } = await sandbox();
    await start().ready;
    const terminal = start({}, ['connect', '--workspace', SEED.team, '--token-stdin']);
    terminal.child.stdin?.end(`${SEED_TOKENS.acme.rest}\n`);
    expect(await terminal.ended).toBe(0);
    const output = terminal.output();
    expect(output).toMatch(
      new RegExp(
        `^The workspace is connected\\..*\nEvents URL: ${env['PUBLIC_URL']}/events/[\\w-]{32}\nSecret: +[\\w-]{43}\n$`,
      ),
    );
    expect(output).not.toContain(SEED_TOKENS.acme.rest);
  });

  test('again leaves the secret as it is, unless a new one is asked for', async () => {
    const { connect } = await sandbox();
    await connect(SEED_TOKENS.acme.rest);
    const again = await connect(SEED_TOKENS.acme.rest);
    expect(again.output).toContain('The events URL and its secret have not changed.');
    expect(again.output).not.toContain('Secret: ');
    expect((await connect(SEED_TOKENS.acme.rest, '--new-secret')).output).toMatch(/^Secret: +[\w-]{43}$/m);
  });

  test('can have the former token revoked, and says what came of it', async () => {
    const { connect, service } = await sandbox();
    await connect(SEED_TOKENS.acme.rest);
    expect((await connect(SEED_TOKENS.acme.rest, '--revoke-former')).output).toContain(
      'was not revoked: it is the same',
    );
    const { code, output } = await connect(service.issueToken(), '--revoke-former');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^The former token was revoked at the order service\.$/m),
    ]);
    expect(service.organization().tokens.map(({ token }) => token)).not.toContain(SEED_TOKENS.acme.rest);
  });

  test('refuses a workspace that the bot is not installed in', async () => {
    const { run } = await sandbox();
    const { code, output } = await run(['connect', '--workspace', 'T0TYPO', '--token-stdin'], 'token');
    expect(code).toBe(1);
    expect(output).toMatch(/installed in T0ACME0001, not in T0TYPO\. Nothing was saved/);
    expect(output).toContain('Use --workspace T0ACME0001');
  });

  test.each([
    ['refuses the bot token', { type: 'error', code: 'account_inactive' } as const, 'account_inactive'],
    ['does not answer', { type: 'status', status: 500 } as const, 'http_500'],
  ])(
    'saves nothing where Slack %s, and so does not say where it is installed',
    async (_what, fault, code) => {
      const { connect, slack, run } = await sandbox();
      const refused = slack.faults.order({ on: 'auth.test', fault, times: 99 });
      const { code: ended, output } = await connect(SEED_TOKENS.acme.rest);
      expect(ended).toBe(1);
      expect(output).toBe(
        `Slack did not answer in which workspace the bot is installed (${code}). Nothing was saved. Check SLACK_BOT_TOKEN, and try again.\n`,
      );
      refused.cancel();
      expect((await run(['disconnect', '--workspace', SEED.team])).output).toContain('is not connected');
    },
  );

  describe('of a bot that is installed by OAuth', () => {
    /** Stored as an installation leaves it; the terminal asks the storage alone. */
    async function installedIn(id: string, more: { orgWide?: boolean; served?: string } = {}) {
      const journal = createJournal();
      const service = await startOrderService({ journal });
      const slack = await startSlack({ journal, installed: false });
      onTestFinished(async () => {
        await slack.close();
        await service.close();
      });
      const database = join(temporaryFolder(), 'bot.db');
      const env = botEnvironment({ slack, service }, { port: 3000, database, credentials: 'oauth' });
      const adapters = await openAdapters(readConfig(env, false));
      await adapters.storage.open({ debug() {}, info() {}, warn() {}, error() {} });
      const { orgWide = false, served } = more;
      const tokens = { bot: 'xoxb-stored' };
      await adapters.installations.add({
        id,
        orgWide,
        tokens,
        scopes: SCOPES,
        botId: 'B1',
        botUserId: 'U1',
        installedBy: 'U2',
      });
      if (served) await adapters.organizations.learn(served, id);
      await adapters.close();
      const args = ['connect', '--workspace', SEED.team, '--token-stdin'];
      const { code, out, err } = await runInTerminal(env, args, SEED_TOKENS.acme.rest);
      return { code, output: out + err };
    }

    test('refuses a workspace in which it is not, and says where to install it', async () => {
      const { code, output } = await installedIn(SEED.otherTeam);
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Countermand is not installed in T0ACME0001\. Nothing was saved\. Install it there first: http:.*\/slack\/install\. /,
      );
    });

    test('takes one in which it is, by itself or through its organization', async () => {
      expect(await installedIn(SEED.team)).toMatchObject({ code: 0 });
      const org = { orgWide: true, served: SEED.team };
      expect(await installedIn('E0INITECH1', org)).toMatchObject({ code: 0 });
    });

    test('refuses one whose organization has it where nobody there has used it yet, and says what to do', async () => {
      const { code, output } = await installedIn('E0INITECH1', { orgWide: true });
      expect(code).toBe(1);
      expect(output).toContain('type /countermand help in that workspace once');
    });
  });

  test('takes a GraphQL token that the check refuses, with a warning', async () => {
    const { connect } = await sandbox();
    expect(await connect('unknown-here', '--graphql')).toMatchObject({
      code: 0,
      output: expect.stringContaining('refused the check of this GraphQL token'),
    });
  });

  test('says why it did not, and saves nothing', async () => {
    const { connect, service } = await sandbox();
    expect(await connect('wrong-token')).toEqual({
      code: 1,
      output:
        'The order service does not accept this token. Copy it again from the developer portal. Nothing was saved.\n',
    });
    expect(await connect('')).toMatchObject({ code: 1, output: expect.stringContaining('one word') });
    expect(await connect('1234567')).toMatchObject({
      code: 1,
      output: expect.stringContaining('at least 8 characters'),
    });
    service.faults.order({ on: 'get_sub_brands', fault: { type: 'drop' } });
    expect(await connect(SEED_TOKENS.acme.rest)).toMatchObject({
      code: 1,
      output: expect.stringContaining('could not be reached'),
    });
  });

  test('exits with 2 when it is not understood', async () => {
    const terminal = startBot(BIN, {}, ['dance']);
    expect(await terminal.ended).toBe(2);
    expect(terminal.output()).toContain('There is no command "dance".');
  });
});

describe('a second bot on one SQLite file', () => {
  test('does not start, and takes over once the first one was killed', async () => {
    const { start } = await sandbox();
    const first = start();
    await first.ready;
    const second = start({ PORT: '0' });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      /could not start: .*Another bot uses the database .*bot\.db \(STORAGE_URL\)/,
    );
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
    const redis = start({ STORAGE_URL: 'redis://:hidden@127.0.0.1:1', SECRET_KEYS: `k:${'A'.repeat(43)}=` });
    expect(await redis.ended).toBe(1);
    expect(redis.output()).toContain('Redis cannot be reached at STORAGE_URL (');
    expect(redis.output()).not.toContain('hidden');
  });
});

describe('a key that does not fit what is stored', () => {
  const key = () => `local:${randomBytes(32).toString('base64')}`;

  test('is told at the start by the number of workspaces, and by no name or secret', async () => {
    const { start, connect } = await sandbox();
    expect(await connect(SEED_TOKENS.acme.rest)).toMatchObject({ code: 0 });
    const bot = start({ SECRET_KEYS: key() });
    await expect.poll(bot.output, { timeout: 15_000 }).toContain('can not be opened by any of SECRET_KEYS');
    const line = bot
      .output()
      .split('\n')
      .find((each) => each.includes('SECRET_KEYS'));
    expect(JSON.parse(line ?? '')).toMatchObject({ unopened: 1 });
    expect(line).not.toContain(SEED.team);
  });
});

describe('countermand disconnect', () => {
  test('says what it would do, and does it with --yes', async () => {
    const { run, connect, service } = await sandbox();
    const disconnect = (...args: string[]) => run(['disconnect', '--workspace', SEED.team, ...args]);
    expect(await disconnect()).toEqual({ code: 1, output: `The workspace ${SEED.team} is not connected.\n` });
    await connect(SEED_TOKENS.acme.rest, '--exclusive');
    const plan = await disconnect();
    expect(plan.code).toBe(0);
    expect(plan.output).toMatch(
      /^Nobody can make requests.*revoked at the order service first.*Run it again with --yes/s,
    );
    expect(service.calls({ operation: 'revoke_token' })).toEqual([]);
    service.faults.order({ on: 'revoke_token', fault: { type: 'status', status: 409, body: '' } });
    expect(await disconnect('--yes')).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^The order service refused to revoke.*so nothing was changed.*run countermand connect without --exclusive/,
      ),
    });
    service.faults.order({ on: 'revoke_token', fault: { type: 'drop' } });
    expect(await disconnect('--yes')).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^I do not know whether the token was revoked.*Run countermand disconnect again/,
      ),
    });
    expect(await disconnect('--yes')).toMatchObject({
      code: 0,
      output: expect.stringContaining('is disconnected. The token was revoked'),
    });
  });
});
