import { describe, expect } from 'vitest';
import type { InspectorViewModel } from '../../../page/view-model/inspector.ts';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { SEED_ENTERPRISE as INITECH } from '../../../slack/world/seed/enterprise.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { testWith } from '../../support/test-with.ts';
import { follow } from '../support/follow.ts';
import { messagesOf, openPageHarness } from '../support/harness.ts';

const INSTALL_URL = 'http://127.0.0.1:1/slack/install';
const several = () =>
  openPageHarness({ installUrl: INSTALL_URL, slack: { installed: false, enterprise: true } });

const test = testWith(several, ['see', 'inspector', 'page', 'slack', 'call']);

describe('where the app can be installed', () => {
  test('one sees the workspaces, and the people of one’s own', async ({ see, slack }) => {
    slack.admin.install(SEED.otherTeam);
    const { workspaces, people } = await see('ana');
    expect(workspaces).toEqual([
      { id: SEED.team, name: 'Acme Support', as: SEED.users.ana, isInstalled: false },
      { id: SEED.otherTeam, name: 'Globex', as: SEED.users.gus, isInstalled: true },
      { id: INITECH.support, name: 'Initech Support', as: INITECH.users.ida, isInstalled: false },
      { id: INITECH.returns, name: 'Initech Returns', as: INITECH.users.jan, isInstalled: false },
    ]);
    expect(people.map(({ name }) => name)).not.toContain('gus');
  });

  test('the install link is there until the app is installed, and again after it is uninstalled', async () => {
    const { see, slack } = await several();
    const link = async () => (await see('ana')).installUrl;
    expect(await link()).toBe(`/install?as=${SEED.users.ana}&in=${SEED.team}`);
    slack.admin.install(SEED.team);
    expect(await link()).toBeNull();
    slack.admin.uninstall(SEED.team);
    expect(await link()).not.toBeNull();
  });

  test('an org-wide installation counts for each of its workspaces', async ({ see, inspector, slack }) => {
    slack.admin.install(INITECH.id);
    const installed = (await see('ana')).workspaces.filter(({ isInstalled }) => isInstalled);
    expect(installed.map(({ id }) => id)).toEqual([INITECH.support, INITECH.returns]);
    const { data } = await (await inspector()).next<InspectorViewModel>('inspector');
    expect(data.places.map(({ status }) => status)).toEqual([
      'never',
      'never',
      'org_wide',
      'org_wide',
      'active',
    ]);
  });

  test('the app of an organization is no external user in its workspaces', async ({ page, slack, call }) => {
    const { token } = slack.admin.install(INITECH.id);
    await call('chat.postMessage', { channel: INITECH.users.joy, text: 'Hello Joy' }, token);
    const query = new URLSearchParams({
      as: INITECH.users.joy,
      conversation: slack.person('joy').channels()[1]?.id ?? '',
    });
    const { data } = await (await follow(`${page.origin}/live/workspace?${query}`)).next<WorkspaceViewModel>(
      'workspace',
    );
    expect(messagesOf(data)[0]?.author).toMatchObject({ name: 'Countermand', isApp: true });
    expect(messagesOf(data)[0]?.author).not.toHaveProperty('company');
  });

  test('everybody of the workspace finds the app, once it is installed', async ({ see, slack }) => {
    const apps = async () => (await see('ben')).conversations.filter(({ kind }) => kind === 'app').length;
    expect(await apps()).toBe(0);
    slack.admin.install(SEED.team);
    expect(await apps()).toBe(1);
  });

  test('the inspector shows how it stands in every place, with somebody who could install it there', async () => {
    const { inspector, slack } = await several();
    slack.admin.install(SEED.team);
    slack.admin.uninstall(SEED.team);
    slack.admin.addWorkspace({ name: 'Empty' });
    const { data } = await (await inspector()).next<InspectorViewModel>('inspector');
    expect(data.places).toMatchObject([
      {
        name: 'Acme Support',
        status: 'uninstalled',
        installUrl: `/install?as=${SEED.users.olga}&in=${SEED.team}`,
      },
      { name: 'Globex', status: 'never' },
      { name: 'Initech Support' },
      { name: 'Initech Returns' },
      { name: 'Empty', installUrl: null },
      {
        name: 'Initech (whole organization)',
        installUrl: `/install?as=${INITECH.users.ida}&in=${INITECH.id}`,
      },
    ]);
  });
});

describe('the install link', () => {
  const go = (origin: string, path: string) => fetch(origin + path, { redirect: 'manual' });

  test('signs the person in, and leads to the app', async ({ page, slack }) => {
    const response = await go(page.origin, `/install?as=${SEED.users.gus}&in=${SEED.otherTeam}`);
    expect([response.status, response.headers.get('location')]).toEqual([302, INSTALL_URL]);
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    const authorize = new URL(
      `../oauth/v2/authorize?client_id=${slack.clientId}&scope=commands&redirect_uri=${INSTALL_URL}`,
      slack.apiUrl,
    );
    const shown = await (await fetch(authorize, { headers: { cookie: `other=1; ${cookie}` } })).text();
    expect(shown).toContain('access the Globex workspace');
    expect(shown).toMatch(/selected>Gus Globex/);
    const madeUp = await fetch(authorize, { headers: { cookie: 'sandbox-signed-in=U0NOBODY.T0NOWHERE' } });
    expect(await madeUp.text()).toContain('access the Acme Support workspace');
  });

  test.for(['/install', '/install?as=U1&in=T1%0d%0aX:1', '/install?as=%3Cb%3E&in=T1'] as const)(
    '%s leads nowhere',
    async (path, { page }) => {
      expect((await go(page.origin, path)).status).toBe(404);
    },
  );

  test('does not exist where the app is installed from the start', async () => {
    const { page, see } = await openPageHarness();
    expect((await go(page.origin, '/install?as=U1&in=T1')).status).toBe(404);
    const { workspaces, installUrl, people } = await see('ana');
    expect({ workspaces, installUrl }).toEqual({ workspaces: [], installUrl: null });
    expect(people.map(({ name }) => name)).toContain('gus');
  });
});
