import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { installApp } from '../../sandbox/slack/world/app/installations.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { SCOPES } from '../../src/slack/client/access.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { sandbox } from './support/sandbox-and-bot.ts';

describe('a command whose output nobody reads', () => {
  async function unread() {
    const { start, connect, run } = await sandbox();
    await connect(SEED_TOKENS.acme.rest);
    const runUnread = async (...args: string[]) => {
      const command = start({ LOG_LEVEL: 'silent' }, args);
      command.child.stdout?.destroy();
      return [await command.ended, command.output()];
    };
    return { run, runUnread };
  }
  const CUT = [1, 'Standard output was closed before all was written.\n'];

  test('says so in one sentence, and lists end in silence, as others do in a pipe', async () => {
    const { runUnread } = await unread();
    expect(await runUnread('rotate-keys')).toEqual(CUT);
    expect(await runUnread('--version')).toEqual(CUT);
    expect(await runUnread('audit', '--workspace', SEED.team)).toEqual([0, '']);
  });

  test('is an export that failed, by the audit trail', async () => {
    const { run, runUnread } = await unread();
    expect(await runUnread('export', '--workspace', SEED.team)).toEqual(CUT);
    const { output } = await run(['audit', '--workspace', SEED.team]);
    expect(output).toMatch(/ {2}exported {2}-> jsonl {2}failed\n/);
  });
});

test('a command whose log nobody reads does what it says all the same', async () => {
  const { start } = await sandbox();
  const command = start({}, ['connect', '--workspace', SEED.team, '--token-stdin']);
  command.child.stderr?.destroy();
  command.child.stdin?.end(`${SEED_TOKENS.acme.rest}\n`);
  expect([await command.ended, command.output()]).toEqual([0, expect.stringContaining('Secret: ')]);
});

test('a command that opens the bot ends with its output: it waits for a Slack token only if one is being renewed', async () => {
  const { start, connect } = await sandbox();
  await connect(SEED_TOKENS.acme.rest);
  const command = start({ LOG_LEVEL: 'silent' }, ['forget-person', 'U0GONE', '--workspace', SEED.team]);
  await expect.poll(command.output).toContain('It may still stand');
  expect(await Promise.race([command.ended, sleep(20_000, 'it runs on', { ref: false })])).toBe(0);
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
        `^The workspace is connected\\..*\nEvents URL: ${env['PUBLIC_URL']}/events/T\\w+~[\\w-]{32}\nSecret: +[\\w-]{43}$`,
        'm',
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
    const anew = ['--new-secret', '--end-former-secret'];
    for (const flags of [anew.slice(0, 1), anew]) {
      const { logged, output } = await connect(SEED_TOKENS.acme.rest, ...flags);
      expect(output).toMatch(/^Secret: +[\w-]{43}$/m);
      const isEnded = Object.hasOwn(Object(logged[0]?.['to']), 'formerSecretEnded');
      expect(isEnded).toBe(flags === anew);
    }
  });

  const UNMARKED =
    'This workspace had a token marked as used by Countermand alone. The present one is not marked: disconnecting will not revoke it. To mark it, connect again with --exclusive, without --new-secret.\n';

  test('again with the same token leaves its kind as it is, and for a new secret alone also its mark', async () => {
    const { connect } = await sandbox();
    const again = async (...flags: string[]) => {
      const { logged, output } = await connect(SEED_TOKENS.acme.rest, ...flags);
      return { to: logged[0]?.['to'], isTold: output.endsWith(UNMARKED) };
    };
    await again('--exclusive', '--graphql');
    const kind = { tokenKind: 'graphql' };
    expect(await again('--new-secret')).toMatchObject({ to: { ...kind, exclusive: true }, isTold: false });
    expect(await again()).toMatchObject({ to: { ...kind, exclusive: false }, isTold: true });
  });

  test('logs what it changes on standard error, with no token and no secret', async () => {
    const { connect, run, service } = await sandbox();
    const first = await connect(SEED_TOKENS.acme.rest);
    const about = { workspace: SEED.team, user: 'terminal' };
    const rest = { tokenKind: 'rest', exclusive: false };
    expect(first.logged).toMatchObject([
      { ...about, msg: 'workspace connected', from: null, to: { ...rest, newToken: true, newSecret: true } },
    ]);
    const token = service.issueToken();
    const again = await connect(token, '--exclusive', '--revoke-former');
    expect(again.logged).toMatchObject([
      {
        ...about,
        msg: 'workspace connected',
        from: { ...rest, connectedBy: 'terminal' },
        to: { ...rest, exclusive: true, newToken: true, newSecret: false },
      },
      { ...about, msg: 'revocation of the former token ended', result: 'revoked' },
    ]);
    const left = await run(['disconnect', '--workspace', SEED.team, '--yes']);
    expect(left.logged).toMatchObject([
      {
        ...about,
        msg: 'workspace disconnected',
        from: { ...rest, exclusive: true, connectedBy: 'terminal' },
        revocation: 'revoked',
      },
    ]);
    const [, secret = ''] = /^Secret: +([\w-]{43})$/m.exec(first.output) ?? [];
    const logged = JSON.stringify([first, again, left].map((each) => each.logged));
    for (const hidden of [SEED_TOKENS.acme.rest, token, secret]) expect(logged).not.toContain(hidden);
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

  test('names the line of the log that says why it is not known whether the former token was revoked', async () => {
    const { connect, service } = await sandbox();
    await connect(SEED_TOKENS.acme.rest);
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'drop' } });
    const { code, output, logged } = await connect(service.issueToken(), '--revoke-former');
    expect(code).toBe(0);
    const [, reference] =
      /^We don't know whether the former token was revoked.* Reference: (\w+)\.$/m.exec(output) ?? [];
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'fault', reference, workspace: SEED.team, action: 'revoke' }),
    );
  });

  test('refuses a workspace that the bot is not installed in', async () => {
    const { run } = await sandbox();
    const { code, output } = await run(['connect', '--workspace', 'T0TYPO', '--token-stdin'], 'token');
    expect(code).toBe(1);
    expect(output).toMatch(/installed in T0ACME0001, not in T0TYPO\. Nothing was saved/);
    expect(output).toContain('Use --workspace T0ACME0001');
  });

  test('refuses the token of an organization, as the bot and doctor do: it would serve no workspace', async () => {
    const { run, start, slack } = await sandbox({ enterprise: true });
    const [organization = ''] = slack.world.enterprises.keys();
    const token = 'xoxb-organization';
    installApp(slack.world, organization, { token });
    const problem = `SLACK_BOT_TOKEN is the token of an organization (${organization})`;
    const given = { SLACK_BOT_TOKEN: token };
    const connected = await run(['connect', '--workspace', SEED.team, '--token-stdin'], 'token', given);
    expect([connected.code, connected.output]).toEqual([1, expect.stringContaining(problem)]);
    expect((await run(['doctor'], '', given)).output).toContain(`problem slack token: ${problem}`);
    const bot = start(given);
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain(`Countermand could not start: ${problem}`);
  });

  test.each([
    ['refuses the bot token', { type: 'error', code: 'account_inactive' } as const, 'account_inactive'],
    ['does not answer', { type: 'status', status: 500 } as const, 'http_500'],
  ])(
    'saves nothing where Slack %s, and so does not say where it is installed',
    async (_what, fault, code) => {
      const { connect, slack, run } = await sandbox();
      const refused = slack.faults.schedule({ on: 'auth.test', fault, times: 99 });
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
      await adapters.storage.open(SILENT);
      const { orgWide = false, served } = more;
      const tokens = { bot: 'xoxb-stored' };
      await adapters.installations.add({
        id,
        orgWide,
        tokens,
        scopes: SCOPES,
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
    expect(await connect('wrong-token')).toMatchObject({
      code: 1,
      output:
        'The order service did not accept the token you sent. Copy it again from the developer portal. Nothing was saved.\n',
    });
    expect(await connect('x'.repeat(200_000))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^A token is one word/),
    });
    expect(await connect('two words')).toMatchObject({
      code: 1,
      output: expect.stringContaining('one word'),
    });
    expect(await connect(' ')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Standard input was empty/),
    });
    expect(await connect('1234567')).toMatchObject({
      code: 1,
      output: expect.stringContaining('at least 8 characters'),
    });
    expect(await connect('xoxb-123-abc')).toMatchObject({
      code: 1,
      output: expect.stringContaining('This is a token of Slack.'),
    });
    service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } });
    expect(await connect(SEED_TOKENS.acme.rest)).toMatchObject({
      code: 1,
      output: expect.stringContaining('The order service gave no answer'),
    });
  });

  test('exits with 2 when it is not understood', async () => {
    const terminal = startBot(inject('bundle'), {}, ['dance']);
    expect(await terminal.ended).toBe(2);
    expect(terminal.output()).toContain('There is no command "dance".');
  });
});

describe('countermand disconnect', () => {
  test('says what it would do, and does it with --yes', async () => {
    const { run, connect, service } = await sandbox();
    const disconnect = (...args: string[]) => run(['disconnect', '--workspace', SEED.team, ...args]);
    expect((await disconnect()).output).toMatch(/^There is no database at/);
    await connect(SEED_TOKENS.acme.rest, '--exclusive');
    const plan = await disconnect();
    expect(plan.code).toBe(0);
    expect(plan.output).toMatch(
      /^Nobody can make requests.*revoked at the order service first.*Run it again with --yes/s,
    );
    expect(service.calls({ operation: 'revoke_token' })).toEqual([]);
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'status', status: 409, body: '' } });
    expect(await disconnect('--yes')).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^We don't know whether the token was revoked.*Code: HTTP_409.*run countermand connect without --exclusive/,
      ),
    });
    service.faults.schedule({ on: 'revoke_token', fault: { type: 'drop' } });
    const doubtful = await disconnect('--yes');
    expect(doubtful.code).toBe(1);
    const [, reference] =
      /^We don't know whether the token was revoked.*Run countermand disconnect --yes again to find out.* Reference: (\w+)\./.exec(
        doubtful.output,
      ) ?? [];
    expect(doubtful.logged).toContainEqual(
      expect.objectContaining({ event: 'fault', reference, workspace: SEED.team, action: 'revoke' }),
    );
    expect(await disconnect('--yes')).toMatchObject({
      code: 0,
      output: expect.stringContaining('is disconnected. The token was revoked'),
    });
  });
});
