/** `countermand doctor` finds what is wrong with a bot and with what it needs, and says what to do. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { sandbox } from '../support/sandbox-and-bot.ts';

const KEYS = `k:${'A'.repeat(43)}=`;

async function patient(options: Partial<SlackOptions> = {}) {
  const all = await sandbox({ scopes: SCOPES, ...options });
  const secrets = [
    ...['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'].map((name) => all.env[name] ?? ''),
    all.slack.appToken,
    SEED_TOKENS.acme.rest,
    'hidden-4711',
  ];
  const doctor = async (args: string[], more: Record<string, string>) => {
    const ran = await all.run(['doctor', ...args], '', more);
    for (const secret of secrets) expect(ran.output).not.toContain(secret);
    return ran;
  };
  const examine = async (more: Record<string, string> = {}, ...args: string[]) => {
    const { code, output } = await doctor(['--json', ...args], more);
    const [json = ''] = output.split('\n');
    const findings: Finding[] = JSON.parse(json);
    expect(code).toBe(findings.some(({ status }) => status === 'problem') ? 1 : 0);
    return findings;
  };
  /** Runs doctor as JSON and in words, which are of the same findings: where secrets are typed, too. */
  const examineTwice = async (more: Record<string, string> = {}) => {
    const findings = await examine(more);
    const said = await doctor([], more);
    expect(said.code).toBe(findings.some(({ status }) => status === 'problem') ? 1 : 0);
    for (const { check, status, text } of findings)
      expect(said.output).toMatch(
        new RegExp(`^${status} +${check}: ${text.slice(0, 12).replace(/\W/g, '.')}`, 'm'),
      );
    return findings;
  };
  return { ...all, examine, examineTwice };
}

const of = (findings: readonly Finding[], status: Finding['status']) =>
  findings.filter((each) => each.status === status).map(({ check, text }) => [check, text]);

const problem = (check: string, text: RegExp) => [check, expect.stringMatching(text)];

describe('a healthy bot', () => {
  test('gets an ok for everything, and the one thing that only a message shows is said', async () => {
    const { start, connect, examine, examineTwice } = await patient();
    await start().ready;
    await connect(SEED_TOKENS.acme.rest);
    const findings = await examineTwice();
    expect(of(findings, 'problem')).toEqual([]);
    expect(of(findings, 'warning')).toEqual([]);
    expect(of(findings, 'unknown')).toEqual([problem('messages tab', /--message-to/)]);
    const checks = ['configuration', 'node', 'storage', 'keys', 'slack token', 'slack scopes', 'clock'];
    expect(of(findings, 'ok').map(([check]) => check)).toEqual([
      ...checks,
      'order service',
      'order service',
      'public address',
      'signing secret',
    ]);
    const told = await examine({}, '--message-to', SEED.users.olga);
    expect(of(told, 'unknown')).toEqual([]);
  });

  test('that was never started, and is not connected, gets warnings that say what comes next', async () => {
    const { examine, start, slack } = await patient();
    expect(of(await examine(), 'warning')).toEqual([
      problem('storage', /^There is no database at .* The first start of the bot creates it/),
      problem('public address', /^Nothing answers at .* Start the bot\./),
    ]);
    slack.connectApp({ socketMode: true });
    const more = { SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: slack.appToken };
    await start(more).ready;
    const findings = await examine({ ...more, SLACK_BOT_TOKN: 'x', Port: '1' });
    expect(of(findings, 'warning')).toEqual([
      ['configuration', expect.stringMatching(/^SLACK_BOT_TOKN is set, and the bot reads SLACK_BOT_TOKEN\./)],
      ['configuration', expect.stringMatching(/^Port is set, and the bot reads PORT\./)],
      problem('order service', /^No workspace is connected/),
    ]);
    expect(of(findings, 'ok')).toContainEqual(problem('socket mode', /accepts SLACK_APP_TOKEN/));
  });
});

describe('what the bot can say', () => {
  const judged = (findings: readonly Finding[]) => findings.filter(({ check }) => check === 'messages');

  test('is judged by Slack, each message and form, and nothing is posted', async () => {
    const { run, journal } = await patient();
    const { output } = await run(['doctor', '--messages', '--json']);
    expect(judged(JSON.parse(output.split('\n')[0] ?? ''))).toEqual([
      { check: 'messages', status: 'ok', text: expect.stringMatching(/^Slack accepts all \d{3} messages/) },
    ]);
    const called = new Set(journal.entries().map(({ name }) => name));
    expect(called).toContain('blocks.validate');
    expect(called).not.toContain('chat.postMessage');
  });

  test('what Slack refuses is told, and a Slack that judges nothing is no problem', async () => {
    const { run, slack } = await patient();
    slack.faults.schedule({ on: 'blocks.validate', fault: { type: 'error', code: 'invalid_message' } });
    const refused = await run(['doctor', '--messages', '--json']);
    expect(refused.code).toBe(1);
    expect(judged(JSON.parse(refused.output.split('\n')[0] ?? ''))).toEqual([
      {
        check: 'messages',
        status: 'problem',
        text: expect.stringMatching(/: invalid_message\. Slack would/),
      },
    ]);
    slack.faults.schedule({ on: 'blocks.validate', fault: { type: 'error', code: 'unknown_method' } });
    const { output } = await run(['doctor', '--messages', '--json']);
    expect(judged(JSON.parse(output.split('\n')[0] ?? ''))).toEqual([
      { check: 'messages', status: 'unknown', text: expect.stringContaining('(unknown_method)') },
    ]);
  });
});

describe('a storage that cannot be used yet', () => {
  test.each([
    ['is not there', 'none.db', 'warning', /^There is no database at/],
    ['is damaged', 'damaged.db', 'problem', /is damaged, or is not a SQLite database/],
  ] as const)('since its file %s is told with what is wrong elsewhere', async (_what, name, status, text) => {
    const { examineTwice } = await patient();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'damaged.db'), 'x'.repeat(5_000));
    const findings = await examineTwice({
      STORAGE_URL: `sqlite:${join(folder, name)}`,
      ORDER_SERVICE_URL: 'http://127.0.0.1:1',
      SLACK_BOT_TOKEN: 'xoxb-wrong',
    });
    expect(of(findings, status)).toContainEqual(problem('storage', text));
    expect(of(findings, 'problem')).toEqual(
      expect.arrayContaining([
        problem('slack token', /^Slack does not accept SLACK_BOT_TOKEN/),
        problem('order service', /^http:\/\/127\.0\.0\.1:1 gave no answer\. Check ORDER_SERVICE_URL/),
      ]),
    );
  });
});

describe('what is wrong with the configuration', () => {
  test('is told whole, and ends the examination', async () => {
    const { examine } = await patient();
    const findings = await examine({ PORT: 'x', SLACK_BOT_TOKEN_FILE: '/none' });
    expect(of(findings, 'problem')).toEqual([
      problem('configuration', /^SLACK_BOT_TOKEN and SLACK_BOT_TOKEN_FILE are both set/),
      problem('configuration', /^PORT must be/),
    ]);
  });

  test('can be read, though a secret is blank or has a single letter', async () => {
    const { examine } = await patient();
    const findings = await examine({ SLACK_SIGNING_SECRET: ' ', SLACK_CLIENT_SECRET: 'e' });
    expect(of(findings, 'problem')).toEqual([
      problem(
        'configuration',
        /^SLACK_SIGNING_SECRET is missing\. Copy it from the page "Basic Information"/,
      ),
      problem('configuration', /^SLACK_BOT_TOKEN is for one workspace; SLACK_CLIENT_ID, SLACK_CLIENT_SECRET/),
    ]);
  });

  test('addresses at which the bot cannot listen: one of another machine, and a name that is not found', async () => {
    const { examine } = await patient();
    const metrics = { METRICS_PORT: '9464', METRICS_HOST: 'no-such-host.invalid' };
    expect(of(await examine({ HOST: '203.0.113.1', ...metrics }), 'problem')).toEqual([
      problem(
        'configuration',
        /^The bot cannot listen at HOST \(.* 203\.0\.113\.1\)\. Set it to an address of this/,
      ),
      problem(
        'configuration',
        /^The bot cannot listen at METRICS_HOST \(.* no-such-host\.invalid\)\. Set it/,
      ),
    ]);
  });

  test('a file of the audit stream that cannot be written', async () => {
    const { examine } = await patient();
    const folder = temporaryFolder();
    const of = async (path: string) =>
      (await examine({ AUDIT_FILE: path })).find(({ check }) => check === 'audit file');
    expect(await of(folder)).toMatchObject({
      status: 'problem',
      text: expect.stringMatching(/is a folder\.$/),
    });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await of(join(folder, 'pipe'))).toMatchObject({
      status: 'problem',
      text: expect.stringMatching(/is a pipe\. For standard output, set it to -\.$/),
    });
    expect(await of(`${folder}/none/audit`)).toMatchObject({
      status: 'problem',
      text: expect.stringMatching(/cannot be written \(ENOENT\)\. Make its folder/),
    });
    expect(await of(`${folder}/audit`)).toMatchObject({ status: 'ok' });
    expect(await of('-')).toMatchObject({ status: 'ok' });
  });
});

describe('what is wrong with Slack', () => {
  test('a token that was revoked', async () => {
    const { examineTwice, slack } = await patient();
    slack.faults.schedule({ on: 'auth.test', fault: { type: 'error', code: 'token_revoked' }, times: 9 });
    expect(of(await examineTwice(), 'problem')).toEqual([
      problem('slack token', /^Slack does not accept SLACK_BOT_TOKEN \(token_revoked\)\. Copy it again/),
    ]);
  });

  test('a scope that is missing', async () => {
    const { examine } = await patient({ scopes: SCOPES.filter((scope) => scope !== 'reactions:read') });
    expect(of(await examine(), 'problem')).toEqual([
      problem('slack scopes', /^SLACK_BOT_TOKEN lacks reactions:read\. Install the app again/),
    ]);
  });

  test('Slack is down', async () => {
    const { examine, slack } = await patient();
    slack.faults.schedule({ on: 'auth.test', fault: { type: 'drop' }, times: 9 });
    expect(of(await examine(), 'problem')).toEqual([
      problem('slack token', /^Slack cannot be reached \(\w+\)\. Check the network/),
    ]);
  });

  test('an app-level token of another app', async () => {
    const { examineTwice } = await patient();
    const findings = await examineTwice({ SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-wrong' });
    expect(of(findings, 'problem')).toEqual([
      problem('socket mode', /^Slack does not accept SLACK_APP_TOKEN/),
    ]);
  });

  test('a clock that is ten minutes off, either way', async () => {
    for (const [ms, way] of [
      [600_000, 'behind'],
      [-600_000, 'ahead of'],
    ] as const) {
      const { examine } = await patient({ now: () => Date.now() + ms });
      expect(of(await examine(), 'problem')).toEqual([
        problem(
          'clock',
          new RegExp(`^The clock of this machine is (599|600|601) s ${way} Slack's\\. Set it`),
        ),
      ]);
    }
  });

  test('a signing secret that the bot does not have', async () => {
    const { examine, start } = await patient();
    const bot = start({ SLACK_SIGNING_SECRET: 'another' });
    await bot.ready;
    expect(of(await examine(), 'problem')).toEqual([
      problem(
        'signing secret',
        /^The bot at PUBLIC_URL refuses a request signed with this SLACK_SIGNING_SECRET/,
      ),
    ]);
    // The bot itself names the cause: this is what Slack's requests meet as well.
    expect(bot.output()).toContain('request refused: not signed with SLACK_SIGNING_SECRET');
  });

  test('a messages tab that is off', async () => {
    const { examine } = await patient({ messagesTab: false });
    expect(of(await examine({}, '--message-to', SEED.users.olga), 'problem')).toEqual([
      problem('messages tab', /Switch on "Messages Tab"/),
    ]);
  });

  test('the reader of the test message is nobody in this workspace', async () => {
    const { examine } = await patient();
    expect(of(await examine({}, '--message-to', 'U0NOBODY01'), 'problem')).toEqual([
      problem('messages tab', /^Slack knows nobody in this workspace by the id in --message-to/),
    ]);
  });
});

describe('what is wrong with the order service', () => {
  test('it is down', async () => {
    const { examine, start } = await patient();
    await start().ready;
    const findings = await examine({ ORDER_SERVICE_URL: 'http://127.0.0.1:1' });
    expect(of(findings, 'problem')).toEqual([
      problem('order service', /^http:\/\/127\.0\.0\.1:1 gave no answer\. Check ORDER_SERVICE_URL/),
    ]);
  });

  test('it does not know the token any more, and signs with another secret', async () => {
    const { examineTwice, start, connect, service } = await patient();
    await start().ready;
    const token = service.issueToken();
    const { output } = await connect(token, '--exclusive');
    const url = /Events URL: (\S+)/.exec(output)?.[1] ?? '';
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sibi-signature-256': 'a'.repeat(64) },
      body: '{}',
    });
    expect(response.status).toBe(401);
    service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'status', status: 401 }, times: 9 });
    expect(of(await examineTwice(), 'problem')).toEqual([
      problem('order service', new RegExp(`^does not accept the token of ${SEED.team} \\(401\\)`)),
      problem('events', new RegExp(`^Events for ${SEED.team} came without a valid signature`)),
    ]);
  });
});

describe('what is wrong with the public address', () => {
  test('something else answers there', async () => {
    const { examine, service } = await patient();
    expect(of(await examine({ PUBLIC_URL: service.url }), 'problem')).toEqual([
      problem('public address', /^Something else than the bot answers at .*healthz \(HTTP \d+\)/),
    ]);
  });
});

test('where another process holds the SQLite file, the advice is to end that process', async () => {
  const { run, connect, env } = await patient();
  await connect(SEED_TOKENS.acme.rest);
  const database = new DatabaseSync((env['STORAGE_URL'] ?? '').replace('sqlite:', ''));
  onTestFinished(() => database.close());
  database.exec('BEGIN IMMEDIATE');
  expect((await run(['doctor'])).output).toMatch(
    /^problem storage: The database .* has been locked .* End that process, for example an open sqlite3\.$/m,
  );
});

describe('what is wrong with the storage', () => {
  needsRedis(true);

  async function redisWith(...options: string[]) {
    const server = await startRedisServer(options);
    onTestFinished(() => server.stop());
    return server;
  }

  async function found(url: string) {
    const { examineTwice } = await patient();
    const findings = await examineTwice({ STORAGE_URL: url, SECRET_KEYS: KEYS });
    return of(findings, 'problem');
  }

  test('nothing, where Redis is as it must be', async () => {
    const { examine } = await patient();
    const { url } = await redisWith();
    const findings = await examine({ STORAGE_URL: url, SECRET_KEYS: KEYS });
    expect(of(findings, 'problem')).toEqual([]);
    expect(of(findings, 'ok').map(([check]) => check)).toContain('queue');
  });

  test('Redis is full, which another command says, too', async () => {
    const { run } = await patient();
    const { url } = await redisWith('--maxmemory', '3mb', '--maxmemory-policy', 'noeviction');
    const client = createRedisClient({ url });
    await client.connect();
    const fill = async (n = 0): Promise<string> =>
      client.set(`filler-${n}`, 'x'.repeat(100_000)).then(() => fill(n + 1), String);
    expect(await fill()).toContain('OOM');
    client.destroy();
    expect(await found(url)).toEqual([
      problem('storage', /^The storage takes no writes \(.*OOM.*\)\. Redis is full: raise maxmemory/),
    ]);
    expect(await run(['rotate-keys'], '', { STORAGE_URL: url, SECRET_KEYS: KEYS })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Redis refused a command \(OOM .*\)\. Redis is full: raise maxmemory/),
    });
  });

  test('Redis takes no writes, since it is a replica or misses its own', async () => {
    const { url } = await redisWith();
    const { hostname, port } = new URL(url);
    const replica = await redisWith('--replicaof', `${hostname} ${port}`, '--replica-read-only', 'yes');
    expect(await found(replica.url)).toEqual([
      problem('storage', /^This is the address of a Redis (slave|replica)\. Use the address of the server/),
    ]);
    const alone = await redisWith('--min-replicas-to-write', '1');
    expect(await found(alone.url)).toEqual([
      problem('storage', /^The storage takes no writes \(.*NOREPLICAS.*\)\. Start its replicas/),
    ]);
  });

  test('Redis is away, or wants another password, which is not shown', async () => {
    expect(await found('redis://:hidden-4711@127.0.0.1:1')).toEqual([
      problem('storage', /^Redis cannot be reached at STORAGE_URL \(.*ECONNREFUSED/),
    ]);
    const { url } = await redisWith('--requirepass', 'right');
    expect(await found(url.replace('//', '//:hidden-4711@'))).toEqual([
      problem('storage', /^Redis does not accept the user or the password of STORAGE_URL \(WRONGPASS/),
    ]);
  });

  test('Redis does not let its user write, in a script', async () => {
    const { url } = await redisWith();
    const client = createRedisClient({ url });
    await client.connect();
    await client.sendCommand('ACL SETUSER reader on >hidden-4711 ~* &* +@all -@write'.split(' '));
    client.destroy();
    expect(await found(url.replace('//', '//reader:hidden-4711@'))).toEqual([
      problem('storage', /^The storage takes no writes \(.*\)\. Give the user of STORAGE_URL the rights/),
    ]);
  });

  test('a key that opens nothing of it', async () => {
    const { examine, connect } = await patient();
    await connect(SEED_TOKENS.acme.rest);
    expect(of(await examine({ SECRET_KEYS: KEYS }), 'problem')).toEqual([
      problem('keys', /secrets that no key opens: 1\. Put back the key/),
    ]);
  });
});
