/** Slack takes the bot's access away, or never gave all of it: that is in the log, and said to whoever waits. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

/** The lines of a level, a number of pino's. */
const linesOf = (log: string, level: number) =>
  log
    .split('\n')
    .filter((line) => line.includes(`"level":${level}`))
    .map((line) => JSON.parse(line));

const errors = ({ logged }: Harness) => linesOf(logged.text(), 50);

const without = (...missing: string[]) => SCOPES.filter((scope) => !missing.includes(scope));

/** Types a command. @returns the answer that only its author sees */
async function waitForNotice({ ana }: Harness, text: string) {
  await ana.command(text, { channel: '#support' });
  return (await ana.waitForEphemeral()).text;
}

describe('a token that Slack does not accept any more', () => {
  test.each(['token_revoked', 'invalid_auth', 'account_inactive'])(
    '(%s) is an error that names workspace and call, and is said to the person',
    async (code) => {
      const harness = await startHarness();
      harness.slack.faults.schedule({ on: 'views.open', fault: { type: 'error', code } });
      expect(await waitForNotice(harness, '/cancel-order A-1001 x')).toMatch(
        /no longer lets Countermand work in this workspace\. .* install Countermand again/,
      );
      expect(errors(harness)).toContainEqual(
        expect.objectContaining({
          workspace: SEED.team,
          method: 'views.open',
          code,
          msg: expect.stringContaining('SLACK_BOT_TOKEN'),
        }),
      );
    },
  );

  test('is an error in the log when Slack tells of it, though nobody has used it since', async () => {
    const harness = await startHarness();
    harness.slack.admin.revokeToken(SEED.team);
    await expect
      .poll(() => errors(harness).map(({ msg }) => msg))
      .toContainEqual(expect.stringMatching(/^Countermand seems to be uninstalled/));
  });

  test('keeps a form that was open from being sent: it says why, and stays', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal();
    harness.slack.admin.revokeToken(SEED.team);
    await harness.ana.submit();
    await harness.ana.waitForModal({ text: 'install Countermand again' });
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    const { storage } = await harness.terminal();
    expect(await storage.requests.list(SEED.team, { limit: 20 })).toEqual([]);
  });
});

describe('a token without a scope', () => {
  test('is an error at the start that names the scope', async () => {
    const harness = await startHarness({
      slack: { scopes: without('reactions:read', 'users:read') },
      connected: false,
    });
    expect(errors(harness)).toMatchObject([
      {
        workspace: SEED.team,
        missing: ['reactions:read', 'users:read'],
        msg: expect.stringContaining('manifest.yml'),
      },
    ]);
  });

  test('is an error that names scope and method when a call fails for it', async () => {
    const harness = await startHarness();
    harness.slack.admin.setScopes(SEED.team, without('users:read'));
    await harness.ben.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ben.waitForModal();
    await harness.ben.submit();
    await harness.ben.waitForModal({ text: 'lacks a permission in Slack' });
    expect(errors(harness)).toContainEqual(
      expect.objectContaining({
        workspace: SEED.team,
        method: 'users.info',
        code: 'missing_scope',
        needed: 'users:read',
      }),
    );
  });

  test('that no card could be posted without is said at once, before anything is filled in or sent', async () => {
    const harness = await startHarness();
    harness.slack.admin.setScopes(SEED.team, without('chat:write'));
    await isTold(harness.ana, '/cancel-order A-1002 x', 'lacks the permission to post messages');
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    expect(errors(harness)).toContainEqual(
      expect.objectContaining({ workspace: SEED.team, missing: ['chat:write'] }),
    );
  });

  test('leaves events that nobody can handle until then: they are acknowledged, or Slack would end those of all workspaces', async () => {
    const harness = await startHarness();
    const { slack, ana, logged } = harness;
    slack.admin.setScopes(SEED.team, without('users:read'));
    const bot = slack.world.installations.get(SEED.team)?.bot_user_id;
    ana.say(`<@${bot}> cancel A-1001`, { channel: SEED.channels.support });
    const mention = slack.events.list().at(-1);
    await expect.poll(() => mention?.attempts).toEqual([200]);
    expect(linesOf(logged.text(), 40)).toContainEqual(
      expect.objectContaining({
        workspace: SEED.team,
        name: 'app_mention',
        msg: expect.stringContaining('event not handled'),
      }),
    );
  });

  test('is gone once the app is installed again', async () => {
    const harness = await startHarness();
    harness.slack.admin.setScopes(SEED.team, without('chat:write'));
    await isTold(harness.ana, '/cancel-order A-1001 x', 'lacks the permission to post messages');
    harness.slack.admin.setScopes(SEED.team, SCOPES);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });
});
