import { describe, expect } from 'vitest';
import { SEED_ENTERPRISE } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOAuthHarness, test } from '../../support/oauth-harness.ts';
import { testWith } from '../../support/test-with.ts';

const { users } = SEED;
const MINUTE = 60_000;

describe('oauth.v2.access', () => {
  test('gives a token for a code, and so installs the app', async ({ exchange, allow, slack, call }) => {
    const granted = await exchange(allow());
    expect(granted).toMatchObject({
      ok: true,
      access_token: expect.stringMatching(/^xoxb-/),
      token_type: 'bot',
      scope: 'commands,chat:write,users:read,im:write',
      bot_user_id: slack.installation().bot_user_id,
      app_id: slack.installation().app_id,
      team: { id: SEED.team, name: 'Acme Support' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: users.olga },
    });
    expect(granted).not.toHaveProperty('refresh_token');
    expect(await call('auth.test', {}, granted.access_token)).toMatchObject({ ok: true, team_id: SEED.team });
  });

  test.for([
    ['invalid_client_id', { client_id: 'other' }],
    ['bad_client_secret', { client_secret: 'wrong' }],
    ['invalid_code', { code: 'unknown' }],
    ['bad_redirect_uri', { redirect_uri: 'http://127.0.0.1:1/elsewhere' }],
    ['bad_redirect_uri', { redirect_uri: undefined }],
    ['invalid_grant_type', { grant_type: 'password' }],
  ] as const)('%s, and the code is still good', async ([error, changes], { exchange, allow, slack }) => {
    const code = allow();
    expect(await exchange(code, changes)).toEqual(expect.objectContaining({ ok: false, error }));
    expect(slack.world.installations.size).toBe(0);
    expect((await exchange(code)).ok).toBe(true);
  });

  test('a code is good once', async ({ exchange, allow }) => {
    const code = allow();
    await exchange(code);
    expect((await exchange(code)).error).toBe('code_already_used');
  });

  test('a code is good for ten minutes', async () => {
    let now = Date.now();
    const { exchange, allow } = await openOAuthHarness({ now: () => now });
    const code = allow();
    now += 10 * MINUTE + 1;
    expect((await exchange(code)).error).toBe('invalid_code');
  });

  test('a workspace is not served by the token of another', async ({ install, call, slack }) => {
    const acme = await install();
    const globex = await install('gus', SEED.otherTeam);
    expect(globex.team).toEqual({ id: SEED.otherTeam, name: 'Globex' });
    expect(globex.bot_user_id).not.toBe(acme.bot_user_id);
    const cara = (token: string) => call('users.info', { user: users.cara }, token);
    expect((await cara(globex.access_token)).user).toMatchObject({ is_stranger: true });
    expect((await cara(acme.access_token)).user).not.toHaveProperty('is_stranger');
    const opened = await call('conversations.open', { users: users.gus }, globex.access_token);
    await call('chat.postMessage', { channel: opened.channel.id, text: 'Hello Gus' }, globex.access_token);
    expect(slack.person('gus').directMessages()).toMatchObject([{ text: 'Hello Gus' }]);
  });

  test('scopes add up until the app is uninstalled', async ({ exchange, allow, slack }) => {
    await exchange(allow());
    expect((await exchange(allow('olga', { scope: 'reactions:read' }))).scope).toContain('chat:write');
    slack.admin.uninstall(SEED.team);
    expect((await exchange(allow('olga', { scope: 'reactions:read' }))).scope).toBe('reactions:read');
  });

  test('an org-wide installation has no team, and a workspace that installs for itself names both', async () => {
    const { install, call } = await openOAuthHarness({ enterprise: true });
    const granted = await install('ida', SEED_ENTERPRISE.id);
    expect(granted).toMatchObject({
      team: null,
      enterprise: { id: SEED_ENTERPRISE.id, name: 'Initech' },
      is_enterprise_install: true,
    });
    expect(await call('auth.test', {}, granted.access_token)).toMatchObject({
      enterprise_id: SEED_ENTERPRISE.id,
      is_enterprise_install: true,
    });
    expect(await install('jan', SEED_ENTERPRISE.returns)).toMatchObject({
      team: { id: SEED_ENTERPRISE.returns },
      enterprise: { id: SEED_ENTERPRISE.id },
      is_enterprise_install: false,
    });
  });

  test('leaves no secret in the journal', async () => {
    const { allow, exchange, refresh, slack, journal } = await openOAuthHarness({ tokenRotation: true });
    const code = allow();
    const first = await exchange(code);
    const second = await refresh(first.refresh_token);
    const written = JSON.stringify(journal.entries());
    const secrets = [slack.clientSecret, code, first.access_token, first.refresh_token, second.access_token];
    for (const secret of [...secrets, second.refresh_token]) expect(written).not.toContain(secret);
    expect(journal.entries({ name: 'oauth.v2.access' })).toHaveLength(2);
  });
});

describe('token rotation', () => {
  async function openRotating() {
    let now = Date.now();
    const harness = await openOAuthHarness({ tokenRotation: true, now: () => now });
    const pass = (ms: number) => {
      now += ms;
    };
    return { ...harness, pass };
  }
  const test = testWith(openRotating, ['install', 'refresh', 'check', 'pass', 'slack']);

  test('tokens live for twelve hours, and bring a refresh token that replaces them', async ({
    install,
    pass,
    check,
    refresh,
  }) => {
    const { access_token, refresh_token, expires_in } = await install();
    expect(access_token).toMatch(/^xoxe\.xoxb-/);
    expect(refresh_token).toMatch(/^xoxe-1-/);
    expect(expires_in).toBe(43_200);
    pass(43_200_000 - 1);
    expect(await check(access_token)).toBeUndefined();
    pass(1);
    expect(await check(access_token)).toBe('token_expired');
    expect(await check((await refresh(refresh_token)).access_token)).toBeUndefined();
  });

  test('a refresh token gives a new pair; the old access token is good until it expires', async ({
    install,
    refresh,
    check,
    slack,
  }) => {
    const first = await install();
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({
      ok: true,
      token_type: 'bot',
      expires_in: 43_200,
      team: { id: SEED.team },
    });
    expect(second).not.toHaveProperty('authed_user');
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(slack.installation().token).toBe(second.access_token);
    expect(await check(first.access_token)).toBeUndefined();
    expect(await check(second.access_token)).toBeUndefined();
  });

  test('a refresh token is good once; after a moment it is refused', async ({ install, refresh, pass }) => {
    const { refresh_token } = await install();
    await refresh(refresh_token);
    pass(11_000);
    expect((await refresh(refresh_token)).error).toBe('invalid_refresh_token');
  });

  test('two that refresh at once both get a pair, of which only the later can be refreshed', async ({
    install,
    refresh,
  }) => {
    const { refresh_token } = await install();
    const [one, other] = [await refresh(refresh_token), await refresh(refresh_token)];
    expect([one.ok, other.ok]).toEqual([true, true]);
    expect((await refresh(one.refresh_token)).error).toBe('invalid_refresh_token');
    expect((await refresh(other.refresh_token)).ok).toBe(true);
  });

  test('no more than two access tokens are live', async ({ install, refresh, check }) => {
    const first = await install();
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect(await check(first.access_token)).toBe('token_revoked');
    expect(await check(second.access_token)).toBeUndefined();
    expect(await check(third.access_token)).toBeUndefined();
  });

  type Rotating = Awaited<ReturnType<typeof openRotating>>;
  test.for<[string, (harness: Rotating) => Promise<string>]>([
    ['is unknown', async () => 'xoxe-1-unknown'],
    ['is an access token', async ({ install }) => (await install()).access_token],
    ['is of an app that was uninstalled', installAndUninstall],
    [
      'is from before a reinstallation',
      async (harness) => {
        const refresh_token = await installAndUninstall(harness);
        await harness.install();
        return refresh_token;
      },
    ],
  ])('a refresh token that %s is refused', async ([, tokenOf], { harness }) => {
    expect((await harness.refresh(await tokenOf(harness))).error).toBe('invalid_refresh_token');
  });

  async function installAndUninstall({ install, slack }: Rotating): Promise<string> {
    const { refresh_token } = await install();
    slack.admin.uninstall(SEED.team);
    return refresh_token;
  }
});
