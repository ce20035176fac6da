import { describe, expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOAuthDesk } from '../../support/oauth-desk.ts';

const EVENTS = ['app_uninstalled', 'tokens_revoked'] as const;

/** A desk where the app is installed, hears of its end, and of what is said. */
async function installed(options: Parameters<typeof openOAuthDesk>[0] = {}) {
  const desk = await openOAuthDesk({ subscriptions: [...EVENTS, 'message.channels'], ...options });
  const granted = await desk.install();
  const check = async (token: string) => (await desk.call('auth.test', {}, token)).error;
  const told = async (count: number) =>
    (await desk.bot.count(count)).map(({ body }) => JSON.parse(body) as Envelope);
  return { ...desk, granted, token: granted.access_token, check, told };
}

type Envelope = { team_id: string; enterprise_id?: string; event_id: string; event: { type: string } };

describe('an admin uninstalls the app', () => {
  test('its token is dead, and it is told twice', async () => {
    const { slack, token, check, told, granted } = await installed();
    slack.admin.uninstall(SEED.team);
    expect(await check(token)).toBe('account_inactive');
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

  test.each(EVENTS)('%s happens first where a test wants it', async (first) => {
    const { slack } = await installed();
    const held = slack.events.hold(...EVENTS);
    slack.admin.uninstall(SEED.team, { first });
    const types = held.list().map(({ envelope }) => (envelope['event'] as { type: string }).type);
    expect(types).toEqual([first, EVENTS.find((type) => type !== first)]);
  });

  test('people can no longer use it', async () => {
    const { slack } = await installed();
    slack.admin.uninstall(SEED.team);
    await expect(slack.person('ana').command('/countermand', { channel: '#support' })).rejects.toThrow(
      'the app is not installed at Acme Support',
    );
  });

  test('another workspace goes on as before', async () => {
    const { slack, install, check, told } = await installed();
    const globex = await install('gus', SEED.otherTeam);
    slack.admin.uninstall(SEED.team);
    expect(await check(globex.access_token)).toBeUndefined();
    expect((await told(2)).every(({ team_id }) => team_id === SEED.team)).toBe(true);
  });
});

describe('the app is installed again', () => {
  test('the same bot user gets a new token, and the old one is unknown', async () => {
    const { slack, install, granted, token, check } = await installed();
    slack.admin.uninstall(SEED.team);
    const again = await install();
    expect(again.bot_user_id).toBe(granted.bot_user_id);
    expect(again.access_token).not.toBe(token);
    expect(await check(token)).toBe('invalid_auth');
    expect(await check(again.access_token)).toBeUndefined();
  });

  test('the events of its end can come after that, and once more', async () => {
    const { slack, install, told } = await installed();
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

describe('apps.uninstall', () => {
  test('the app takes itself away, and is told as well', async () => {
    const { call, credentials, token, check, told } = await installed();
    expect(await call('apps.uninstall', credentials, token)).toMatchObject({ ok: true });
    expect(await check(token)).toBe('account_inactive');
    expect(await told(2)).toHaveLength(2);
  });

  test.each([
    ['invalid_client_id', { client_id: 'other' }],
    ['bad_client_secret', { client_secret: 'wrong' }],
  ])('%s', async (error, changes) => {
    const { call, credentials, token, check } = await installed();
    expect((await call('apps.uninstall', { ...credentials, ...changes }, token)).error).toBe(error);
    expect(await check(token)).toBeUndefined();
  });

  test('an organization keeps its app until its admins take it', async () => {
    const { call, credentials, install } = await openOAuthDesk({ enterprise: true });
    const { access_token } = await install('ida', SEED_ENTERPRISE.id);
    expect((await call('apps.uninstall', credentials, access_token)).error).toBe('enterprise_is_restricted');
  });
});

describe('auth.revoke', () => {
  test('ends the authorization, takes the bot out of its channels, and tells the app', async () => {
    const { call, slack, token, check, told, granted } = await installed();
    slack.admin.invite(SEED.channels.support, granted.bot_user_id);
    expect(await call('auth.revoke', {}, token)).toMatchObject({ ok: true, revoked: true });
    expect(await check(token)).toBe('token_revoked');
    expect(slack.channel('#support').members).not.toContain(granted.bot_user_id);
    expect(await told(1)).toMatchObject([{ event: { type: 'tokens_revoked' } }]);
  });

  test('changes nothing where it is only a test', async () => {
    const { call, token, check } = await installed();
    expect(await call('auth.revoke', { test: true }, token)).toMatchObject({ ok: true, revoked: false });
    expect(await check(token)).toBeUndefined();
  });

  test('ends one token of many where they rotate, and the installation goes on', async () => {
    const { call, granted, token, check, refresh, slack } = await installed({ tokenRotation: true });
    await call('auth.revoke', {}, token);
    expect(await check(token)).toBe('token_revoked');
    expect(slack.installation().status).toBe('active');
    expect(await check((await refresh(granted.refresh_token)).access_token)).toBeUndefined();
  });
});
