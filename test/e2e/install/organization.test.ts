import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { UNINSTALL_TIMINGS } from '../../../src/workspaces/installation/uninstall.ts';
import { startDesk } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels } = SEED_ENTERPRISE;

/** Installed by Ida in the whole organization, and connected in both of its workspaces. */
async function startOrganization() {
  const desk = await startDesk({
    installing: 'oauth',
    overrides: { leaving: { ...UNINSTALL_TIMINGS, recheckMs: 50, retryMs: 50, sweepMs: 50 } },
    slack: { enterprise: true, orgDeploy: true },
  });
  const page = await openBrowser(desk).install('ida', { team: ORG });
  expect(page.text).toContain('installed in your organization');
  const [ida, ivo, jan, joy] = ['ida', 'ivo', 'jan', 'joy'].map((name) => desk.slack.person(name));
  if (!ida || !ivo || !jan || !joy) throw new Error('Somebody is missing.');
  return { ...desk, ida, ivo, jan, joy };
}

type Org = Awaited<ReturnType<typeof startOrganization>>;

async function connectIn({ slack }: Org, who: string, channel: string) {
  const admin = slack.person(who);
  await admin.command('/countermand connect', { channel });
  await admin.waitForModal(({ callback_id }) => callback_id === 'connect');
  await admin.submit({ token: SEED_TOKENS.acme.rest });
  await admin.waitForModal(({ view }) => JSON.stringify(view).includes('is connected'));
  await admin.closeModal();
}

test('an org-wide installation serves each of its workspaces, and each has its own connection and requests', async () => {
  const desk = await startOrganization();
  const { ivo, joy, slack, service } = desk;
  await connectIn(desk, 'ida', channels.support);
  await joy.command('/cancel-order A-1001 x', { channel: channels.returns });
  await joy.waitForModal(({ view }) => JSON.stringify(view).includes('This workspace is not connected'));
  await joy.closeModal();
  await connectIn(desk, 'jan', channels.returns);

  await ivo.command('/cancel-order A-1001 Ordered twice', { channel: channels.support });
  await ivo.waitForModal();
  await ivo.submit();
  await slack.waitForMessage({ channel: channels.support, text: /Cancel order A-1001.*cancelled/s });
  await joy.command('/countermand status A-1001', { channel: channels.returns });
  const told = await joy.waitForEphemeral(({ text }) => text.includes('A-1001'));
  expect(told.text).toContain('There is no request');
  await joy.command('/cancel-order A-1002 Ordered twice', { channel: channels.returns });
  await joy.waitForModal();
  await joy.submit();
  await slack.waitForMessage({ channel: channels.returns, text: /Cancel order A-1002.*cancelled/s });
  expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
});

test('a payload of the organization that names no workspace is taken for none of them', async () => {
  const desk = await startOrganization();
  const { organizations } = await desk.terminal();
  await desk.slack.sendCustom({
    kind: 'command',
    body: {
      command: '/countermand',
      text: 'help',
      enterprise_id: ORG,
      is_enterprise_install: 'true',
      user_id: desk.ida.id,
      channel_id: channels.support,
      trigger_id: '1.2.3',
      response_url: `${desk.url}/nowhere`,
    },
  });
  await eventually(() => expect(desk.logged.text()).toContain('without an installation'));
  expect(await Array.fromAsync(organizations.workspaces(ORG))).toEqual([]);
});

test('user groups can be chosen there, for which Slack wants to know the workspace', async () => {
  const desk = await startOrganization();
  const group = desk.slack.admin.addUserGroup({ team_id: SUPPORT, name: 'Cancellers' });
  desk.slack.admin.setUserGroup(group.id, { users: [desk.ivo.id] });
  await connectIn(desk, 'ida', channels.support);
  await desk.ida.command('/countermand settings', { channel: channels.support });
  await desk.ida.waitForModal(({ callback_id }) => callback_id === 'settings');
  const { options } = await desk.ida.search('requesters', 'Canc');
  expect(options).toHaveLength(1);
  await desk.ida.submit({ requesters: group.id });
  await desk.ivo.command('/cancel-order A-1001 x', { channel: channels.support });
  await desk.ivo.waitForModal(({ callback_id }) => callback_id === 'request_cancel_order');
  await desk.ivo.closeModal();
  await desk.ida.command('/cancel-order A-1001 x', { channel: channels.support });
  await desk.ida.waitForModal(({ view }) => JSON.stringify(view).includes('group'));
});

describe('an organization that takes it out of one workspace', () => {
  /** Connected in both, with an order asked for in each, and everything in Slack's own order. */
  async function startBoth() {
    const desk = await startOrganization();
    await connectIn(desk, 'ida', channels.support);
    await connectIn(desk, 'jan', channels.returns);
    const { connections, organizations, storage } = await desk.terminal();
    const stored = async (workspace: string) => ({
      isConnected: (await connections.find(workspace)) !== undefined,
      organization: await organizations.of(workspace),
    });
    const isLeaving = async (workspace: string) =>
      (await storage.uninstalls.get({ workspace, id: `uninstall-${ORG}` })) !== undefined;
    return { ...desk, stored, isLeaving };
  }

  const WHOLE = { isConnected: true, organization: ORG };

  test('leaves nothing behind there, and everything in the others', async () => {
    const desk = await startBoth();
    desk.slack.admin.setAccess(ORG, RETURNS, false);
    await eventually(async () =>
      expect(await desk.stored(RETURNS)).toEqual({ isConnected: false, organization: undefined }),
    );
    expect(await desk.stored(SUPPORT)).toEqual(WHOLE);
    await desk.ivo.command('/cancel-order A-1001 Ordered twice', { channel: channels.support });
    await desk.ivo.waitForModal();
    await desk.ivo.submit();
    await desk.slack.waitForMessage({ channel: channels.support, text: /Cancel order A-1001.*cancelled/s });
  });

  test('and puts it back there at once keeps everything: Slack is asked before anything is removed', async () => {
    const desk = await startBoth();
    const held = desk.slack.events.hold('team_access_revoked');
    desk.slack.admin.setAccess(ORG, RETURNS, false);
    desk.slack.admin.setAccess(ORG, RETURNS, true);
    // There are more workspaces than one page of the answer names.
    desk.slack.admin.setApp({ shortPages: [1] });
    await held.deliver(0).settled;
    await eventually(async () => expect(await desk.isLeaving(RETURNS)).toBe(false));
    expect(await desk.stored(RETURNS)).toEqual(WHOLE);
    // Two looks of two pages each.
    expect(desk.journal.entries({ kind: 'web_api', name: 'auth.teams.list' })).toHaveLength(4);
  });

  test('keeps everything while Slack cannot say whether it did', async () => {
    const desk = await startBoth();
    const fault = { type: 'status', status: 500 } as const;
    const away = desk.slack.faults.order({ on: 'auth.teams.list', fault, times: 999 });
    desk.slack.admin.setAccess(ORG, RETURNS, false);
    const asked = () => desk.journal.entries({ kind: 'web_api', name: 'auth.teams.list' }).length;
    await eventually(() => expect(asked()).toBeGreaterThan(2));
    expect(await desk.stored(RETURNS)).toEqual(WHOLE);
    away.cancel();
    await eventually(async () => expect((await desk.stored(RETURNS)).isConnected).toBe(false));
  });

  test('is understood as the page of the event shows it, too: with an envelope within the event', async () => {
    const desk = await startBoth();
    const held = desk.slack.events.hold('team_access_revoked');
    desk.slack.admin.setAccess(ORG, RETURNS, false);
    const event = { type: 'team_access_revoked', team_ids: [RETURNS] };
    const body = {
      type: 'event_callback',
      team_id: SUPPORT,
      event: { team_id: null, enterprise_id: ORG, api_app_id: 'A0COUNTERMAND', event },
      authorizations: [{ enterprise_id: ORG, team_id: SUPPORT, is_bot: false, is_enterprise_install: false }],
      event_id: 'Ev123ABC456',
      event_time: 123_456_789,
    };
    expect(await desk.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
    await eventually(async () => expect((await desk.stored(RETURNS)).isConnected).toBe(false));
    held.lose(0);
  });
});

test('an organization that uninstalls it leaves nothing behind in any of its workspaces', async () => {
  const desk = await startOrganization();
  await connectIn(desk, 'ida', channels.support);
  await connectIn(desk, 'jan', channels.returns);
  desk.slack.admin.uninstall(ORG);
  const { connections, installations, organizations } = await desk.terminal();
  await eventually(async () => expect(desk.logged.text()).toContain('installation data removed'));
  expect(await Array.fromAsync(installations.ids())).toEqual([]);
  for (const workspace of [SUPPORT, RETURNS]) {
    expect(await connections.find(workspace)).toBeUndefined();
    expect(await organizations.of(workspace)).toBeUndefined();
  }
});
