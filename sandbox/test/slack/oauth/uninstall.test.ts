import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOAuthHarness } from '../../support/oauth-harness.ts';
import { testWith } from '../../support/test-with.ts';

const EVENTS = ['app_uninstalled', 'tokens_revoked'] as const;

/** Opens a harness with the app installed, subscribed to its own end and to messages. */
async function installed() {
  const harness = await openOAuthHarness({ subscriptions: [...EVENTS, 'message.channels'] });
  return { ...harness, granted: await harness.install() };
}

const test = testWith(installed, ['slack', 'install', 'granted', 'check', 'told']);

describe('an admin uninstalls the app', () => {
  test('its token no longer works, and it gets two events', async ({ slack, check, told, granted }) => {
    slack.admin.uninstall(SEED.team);
    expect(await check(granted.access_token)).toBe('account_inactive');
    const envelopes = await told(2);
    expect(envelopes.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        { type: 'app_uninstalled' },
        { type: 'tokens_revoked', tokens: { oauth: [], bot: [granted.bot_user_id] } },
      ]),
    );
    for (const envelope of envelopes) {
      expect(envelope.team_id).toBe(SEED.team);
      expect(envelope).not.toHaveProperty('authorizations');
    }
  });

  test.for(EVENTS)('%s can happen first', async (first, { slack }) => {
    const held = slack.events.hold(...EVENTS);
    slack.admin.uninstall(SEED.team, { first });
    const types = held.list().map(({ envelope }) => (envelope['event'] as { type: string }).type);
    expect(types).toEqual([first, EVENTS.find((type) => type !== first)]);
  });

  test('another workspace goes on as before', async ({ slack, install, check, told }) => {
    const globex = await install('gus', SEED.otherTeam);
    slack.admin.uninstall(SEED.team);
    expect(await check(globex.access_token)).toBeUndefined();
    expect((await told(2)).every(({ team_id }) => team_id === SEED.team)).toBe(true);
  });
});

describe('the app is installed again', () => {
  test('the same bot user gets a new token, and the old one is unknown', async ({
    slack,
    install,
    granted,
    check,
  }) => {
    slack.admin.uninstall(SEED.team);
    const again = await install();
    expect(again.bot_user_id).toBe(granted.bot_user_id);
    expect(again.access_token).not.toBe(granted.access_token);
    expect(await check(granted.access_token)).toBe('invalid_auth');
    expect(await check(again.access_token)).toBeUndefined();
  });

  test('the events of its end can come after that, and once more', async ({ slack, install, told }) => {
    const held = slack.events.hold(...EVENTS);
    slack.admin.uninstall(SEED.team, { first: 'tokens_revoked' });
    await install();
    await held.deliver(1).settled;
    await held.deliver(0).settled;
    await slack.events.redeliver(held.list()[1]?.event_id ?? '').settled;
    const types = (await told(3)).map(({ event }) => event.type);
    expect(types).toEqual(['app_uninstalled', 'tokens_revoked', 'app_uninstalled']);
  });
});
