import { describe, expect } from 'vitest';
import { SEED_ENTERPRISE } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOAuthHarness, REDIRECT, test } from '../../support/oauth-harness.ts';

const { users } = SEED;

const textOf = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/** Presses a button of the page, as a browser does. */
const press = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

describe('the authorize page', () => {
  test('says which app, which workspace, and what it will be able to do', async ({ authorizeUrl }) => {
    const { status, type, text } = await textOf(authorizeUrl());
    expect(status).toBe(200);
    expect(type).toContain('text/html');
    expect(text).toContain('Countermand is requesting permission to access the Acme Support workspace');
    expect(text).toContain('Send messages as the app <code>chat:write</code>');
    expect(text).toContain('People in the workspace <code>users:read</code>');
    expect(text).toMatch(/<option[^>]*>Olga Orlova \(admin\)/);
  });

  test('offers every workspace, and shows the people of the one that is chosen', async ({ authorizeUrl }) => {
    const { text } = await textOf(authorizeUrl({ team: SEED.otherTeam }));
    expect(text).toContain('access the Globex workspace');
    expect(text).toContain('Gus Globex');
    expect(text).not.toContain('Olga Orlova');
    expect(text).toContain('>Acme Support</option>');
  });

  test('offers nobody who may not install: guests, bots, the deactivated', async () => {
    const { authorizeUrl, slack } = await openOAuthHarness({ installed: true });
    const { text } = await textOf(authorizeUrl());
    expect(text).toContain('installed here already');
    expect(text).not.toMatch(/Gina|Dora/);
    expect(text).not.toContain(slack.installation().bot_user_id);
  });

  test('escapes what others typed', async ({ authorizeUrl, slack }) => {
    const { team } = slack.admin.addWorkspace({ name: '<script>alert(1)</script>' });
    const { text } = await textOf(authorizeUrl({ team: team.id, state: '"><script>alert(2)</script>' }));
    expect(text).not.toContain('<script');
    expect(text).toContain('Nobody here may install apps');
  });

  test('names an organization only where there is one, and the app is made for it', async () => {
    const { authorizeUrl, slack } = await openOAuthHarness({ enterprise: true });
    const whole = 'Initech (whole organization)';
    expect((await textOf(authorizeUrl())).text).toContain(whole);
    expect((await textOf(authorizeUrl({ team: SEED_ENTERPRISE.id }))).text).toContain(
      'access the Initech organization',
    );
    slack.admin.setApp({ orgDeploy: false });
    expect((await textOf(authorizeUrl())).text).not.toContain(whole);
  });
});

describe('what a person presses', () => {
  test('Allow sends them back with a code and the state', async ({ authorizeUrl, slack }) => {
    const form = { team: SEED.team, user: users.olga, decision: 'allow' };
    const response = await press(authorizeUrl({ state: 'a b&c' }), form);
    expect(response.status).toBe(302);
    const back = new URL(response.headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('a b&c');
    expect(back.searchParams.get('code')).toMatch(/\S{20,}/);
    // It is the app that completes the installation, by exchanging the code.
    expect(slack.world.installations.size).toBe(0);
  });

  test('Deny sends them back with access_denied and the state, and installs nothing', async () => {
    const { slack, authorizeUrl } = await openOAuthHarness();
    const back = new URL(slack.person('ana').authorize(authorizeUrl(), { allow: false }));
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'the state' });
  });

  test('keeps what the redirect_uri has in its query, and sends no state where none came', async () => {
    const { slack, authorizeUrl } = await openOAuthHarness();
    const url = authorizeUrl({ redirect_uri: `${REDIRECT}/below?x=1`, state: null });
    const back = new URL(slack.person('ana').authorize(url, { allow: false }));
    expect(back.href).toBe(`${REDIRECT}/below?x=1&error=access_denied`);
  });

  test.for([
    ['somebody of another company', { user: users.gus }, 'gus is not a member of Acme Support'],
    ['a guest', { user: users.gina }, 'guests may not install apps'],
    ['somebody whose account is deactivated', { user: users.dora }, 'there is no such person'],
    ['nobody', { user: 'U0NOBODY' }, 'there is no such person'],
    ['somebody in no workspace', { team: 'T0NOWHERE' }, 'there is no workspace T0NOWHERE'],
    ['neither button', { decision: 'perhaps' }, 'neither Allow nor Deny was pressed'],
  ] as const)('%s is refused, and is not sent back', async ([, changes, words], { authorizeUrl }) => {
    const form = { team: SEED.team, user: users.olga, decision: 'allow', ...changes };
    const response = await press(authorizeUrl(), form);
    expect(response.status).toBe(403);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain(words);
  });

  test('only those who run an organization install in all of it', async () => {
    const { slack, authorizeUrl } = await openOAuthHarness({ enterprise: true });
    const there = { team: SEED_ENTERPRISE.id };
    expect(() => slack.person('jan').authorize(authorizeUrl(), there)).toThrow(
      'only an admin of the organization',
    );
    expect(() => slack.person('olga').authorize(authorizeUrl(), there)).toThrow('only an admin');
    expect(slack.person('ida').authorize(authorizeUrl(), there)).toContain('code=');
    slack.admin.setApp({ orgDeploy: false });
    expect(() => slack.person('ida').authorize(authorizeUrl(), there)).toThrow('org_deploy_enabled');
  });
});

describe('a mistake in the authorize URL is explained, and sends nobody back', () => {
  test.for([
    ['an unknown client_id', { client_id: 'unknown' }, 'Invalid client_id parameter'],
    ['no client_id', { client_id: null }, 'Invalid client_id parameter'],
    ...[
      'https://evil.example/slack/oauth_redirect',
      `${REDIRECT}ed`,
      `${REDIRECT}/../../evil`,
      'http://127.0.0.1:1@evil.example/',
      'javascript:alert(1)',
    ].map((uri) => [uri, { redirect_uri: uri }, 'did not match any configured'] as const),
    ['no scope', { scope: null }, 'scope is missing'],
    ['no redirect_uri', { redirect_uri: null }, 'did not match any configured'],
    ['a scope named as what objects inherit', { scope: 'constructor' }, 'requested: constructor'],
    ['an unknown scope', { scope: 'commands,make:coffee' }, 'Invalid permissions requested: make:coffee'],
    ['scopes of a person', { user_scope: 'search:read' }, 'user_scope'],
  ] as const)('%s', async ([, changes, words], { authorizeUrl }) => {
    const url = authorizeUrl(changes);
    const { status, text } = await textOf(url);
    expect(status).toBe(400);
    expect(text).toContain(words);
    const pressed = await press(url, { team: SEED.team, user: users.olga, decision: 'allow' });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([400, null]);
  });
});
