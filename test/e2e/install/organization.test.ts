import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { removeAll } from '../../../src/cli/removal.ts';
import { connectIn, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { isTold } from '../../support/e2e/told.ts';
import { runInTerminal } from '../../support/processes/terminal.ts';
import { auditLinesIn } from '../../support/storage/audit-trail.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels } = SEED_ENTERPRISE;

test('an org-wide installation serves each of its workspaces, and each has its own connection and requests', async () => {
  const harness = await startOrganization();
  const { ivo, joy, slack, service } = harness;
  await connectIn(harness, 'ida', channels.support);
  await isTold(joy, '/cancel-order A-1001 x', 'This workspace is not connected', channels.returns);
  await connectIn(harness, 'ida', channels.returns);

  await ivo.command('/cancel-order A-1001 Ordered twice', { channel: channels.support });
  await ivo.waitForModal();
  await ivo.submit();
  await slack.waitForMessage({ channel: channels.support, text: /Cancel order A-1001.*cancelled/s });
  await joy.command('/countermand status A-1001', { channel: channels.returns });
  const notice = await joy.waitForEphemeral(({ text }) => text.includes('A-1001'));
  expect(notice.text).toContain('No request in this workspace has the id');
  await joy.command('/cancel-order A-1002 Ordered twice', { channel: channels.returns });
  await joy.waitForModal();
  await joy.submit();
  await slack.waitForMessage({ channel: channels.returns, text: /Cancel order A-1002.*cancelled/s });
  expect(service.calls({ operation: 'cancel_order' })).toHaveLength(2);
});

test('a payload of the organization that names no workspace is taken for none of them', async () => {
  const harness = await startOrganization();
  const { organizations } = await harness.terminal();
  await harness.slack.sendCustom({
    kind: 'command',
    body: {
      command: '/countermand',
      text: 'help',
      enterprise_id: ORG,
      is_enterprise_install: 'true',
      user_id: harness.ida.id,
      channel_id: channels.support,
      trigger_id: '1.2.3',
      response_url: `${harness.url}/nowhere`,
    },
  });
  await eventually(() => expect(harness.logged.text()).toContain('without an installation'));
  // The event of a direct message, of the welcome, names the workspace of its person.
  const known = await Array.fromAsync(organizations.workspaces(ORG));
  expect(known.filter((id) => id !== SUPPORT)).toEqual([]);
});

test('user groups can be chosen there, for which Slack wants to know the workspace', async () => {
  const harness = await startOrganization();
  const group = harness.slack.admin.addUserGroup({ team_id: SUPPORT, name: 'Cancellers' });
  harness.slack.admin.setUserGroup(group.id, { users: [harness.ivo.id] });
  await connectIn(harness, 'ida', channels.support);
  await harness.ida.command('/countermand settings', { channel: channels.support });
  await harness.ida.waitForModal({ callback: 'settings' });
  const { options } = await harness.ida.search('requesters', 'Canc');
  expect(options).toHaveLength(1);
  await harness.ida.submit({ requesters: group.id });
  await harness.ivo.command('/cancel-order A-1001 x', { channel: channels.support });
  await harness.ivo.waitForModal({ callback: 'request_cancel_order' });
  await harness.ivo.closeModal();
  await isTold(harness.ida, '/cancel-order A-1001 x', 'Only members of', channels.support);
});

test('the audit trail of an organization is listed and exported at the terminal, and forgets who installed', async () => {
  const { environment, ida } = await startOrganization();
  const run = (command: string, ...more: string[]) =>
    runInTerminal(environment, [command, ...more, '--workspace', ORG]);
  const installed = { code: 0, out: expect.stringMatching(`  ${ida.id}  installed  `) };
  expect(await run('audit')).toMatchObject(installed);
  expect(await run('forget-person', ida.id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('in the audit trail (1)'),
  });
  const { code, out } = await run('export');
  expect([code, out]).toEqual([0, expect.stringContaining('"act":"installed"')]);
  expect(out).not.toContain(ida.id);
});

describe('an organization that takes it out of one workspace', () => {
  /** Connected in both, with an order requested in each, and everything in Slack's own order. */
  async function startBoth() {
    const harness = await startOrganization();
    await connectIn(harness, 'ida', channels.support);
    await connectIn(harness, 'ida', channels.returns);
    const { connections, organizations, storage } = await harness.terminal();
    const stored = async (workspace: string) => ({
      isConnected: (await connections.find(workspace)) !== undefined,
      organization: await organizations.of(workspace),
    });
    const isLeaving = async (workspace: string) =>
      (await storage.uninstalls.get({ workspace, id: `uninstall-${ORG}` })) !== undefined;
    return { ...harness, stored, isLeaving };
  }

  const WHOLE = { isConnected: true, organization: ORG };

  test('leaves nothing behind there, and everything in the others', async () => {
    const harness = await startBoth();
    harness.slack.admin.setAccess(ORG, RETURNS, false);
    await eventually(async () =>
      expect(await harness.stored(RETURNS)).toEqual({ isConnected: false, organization: undefined }),
    );
    expect(await harness.stored(SUPPORT)).toEqual(WHOLE);
    await harness.ivo.command('/cancel-order A-1001 Ordered twice', { channel: channels.support });
    await harness.ivo.waitForModal();
    await harness.ivo.submit();
    await harness.slack.waitForMessage({
      channel: channels.support,
      text: /Cancel order A-1001.*cancelled/s,
    });
  });

  test('and puts it back there at once keeps everything: Slack is asked before anything is removed', async () => {
    const harness = await startBoth();
    const held = harness.slack.events.hold('team_access_revoked');
    const lists = () => harness.journal.entries({ kind: 'web_api', name: 'auth.teams.list' }).length;
    const before = lists();
    harness.slack.admin.setAccess(ORG, RETURNS, false);
    harness.slack.admin.setAccess(ORG, RETURNS, true);
    // There are more workspaces than one page of the answer names.
    harness.slack.admin.setApp({ shortPages: [1] });
    await held.deliver(0).settled;
    await eventually(async () => expect(await harness.isLeaving(RETURNS)).toBe(false));
    expect(await harness.stored(RETURNS)).toEqual(WHOLE);
    // Two looks of two pages each.
    expect(lists() - before).toBe(4);
  });

  test('keeps everything while Slack cannot say whether it did', async () => {
    const harness = await startBoth();
    const fault = { type: 'status', status: 500 } as const;
    const away = harness.slack.faults.schedule({ on: 'auth.teams.list', fault, times: 999 });
    harness.slack.admin.setAccess(ORG, RETURNS, false);
    const checks = () => harness.journal.entries({ kind: 'web_api', name: 'auth.teams.list' }).length;
    await eventually(() => expect(checks()).toBeGreaterThan(2));
    expect(await harness.stored(RETURNS)).toEqual(WHOLE);
    away.cancel();
    await eventually(async () => expect((await harness.stored(RETURNS)).isConnected).toBe(false));
  });

  test('and puts it back before the data are removed, and takes it out again, is in the audit stream twice', async () => {
    const path = join(temporaryFolder(), 'audit.jsonl');
    const harness = await startOrganization({
      overrides: { runner: { sweepMs: 20 } },
      env: { AUDIT_FILE: path },
    });
    const { service, slack } = harness;
    await connectIn(harness, 'ida', channels.returns, { exclusive: ['exclusive'] });
    const { connections, storage } = await harness.terminal();
    const uninstalls = () => auditLinesIn(path).filter(({ act }) => act === 'uninstalled');
    const fault = { type: 'status', status: 503 } as const;
    const away = service.faults.schedule({ on: 'revoke_token', fault, times: 999 });
    slack.admin.setAccess(ORG, RETURNS, false);
    await eventually(() => expect(uninstalls()).toHaveLength(1));
    slack.admin.setAccess(ORG, RETURNS, true);
    await eventually(async () => expect(await storage.uninstalls.count(RETURNS)).toBe(0));
    expect(await connections.find(RETURNS)).toBeDefined();
    away.cancel();
    slack.admin.setAccess(ORG, RETURNS, false);
    await eventually(async () => expect(await connections.find(RETURNS)).toBeUndefined());
    await eventually(() => expect(uninstalls()).toHaveLength(2));
    expect(new Set(uninstalls().map(({ id }) => id)).size).toBe(2);
  });

  test('is understood as the page of the event shows it, too: with an envelope within the event', async () => {
    const harness = await startBoth();
    const held = harness.slack.events.hold('team_access_revoked');
    harness.slack.admin.setAccess(ORG, RETURNS, false);
    const event = { type: 'team_access_revoked', team_ids: [RETURNS] };
    const body = {
      type: 'event_callback',
      team_id: SUPPORT,
      event: { team_id: null, enterprise_id: ORG, api_app_id: 'A0COUNTERMAND', event },
      authorizations: [{ enterprise_id: ORG, team_id: SUPPORT, is_bot: false, is_enterprise_install: false }],
      event_id: 'Ev123ABC456',
      event_time: 123_456_789,
    };
    expect(await harness.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
    await eventually(async () => expect((await harness.stored(RETURNS)).isConnected).toBe(false));
    held.lose(0);
  });
});

test('a workspace that had installed it before it joined the organization keeps everything when it removes that', async () => {
  const harness = await startOrganization();
  await connectIn(harness, 'ida', channels.support);
  await openBrowser(harness).install('ida', { team: SUPPORT });
  const { connections, installations, organizations, storage } = await harness.terminal();
  const own = await installations.get(SUPPORT);
  if (!own) throw new Error('It is not installed.');
  const { organization: _joinedLater, ...before } = own;
  await installations.add(before);
  await organizations.forget(SUPPORT);
  harness.slack.admin.uninstall(SUPPORT);
  await eventually(async () => expect(await installations.get(SUPPORT)).toBeUndefined());
  for (const id of ['uninstall', `uninstall-${ORG}`])
    await eventually(async () =>
      expect(await storage.uninstalls.get({ workspace: SUPPORT, id })).toBeUndefined(),
    );
  expect(await connections.find(SUPPORT)).toBeDefined();
  await harness.ivo.command('/cancel-order A-1001 Ordered twice', { channel: channels.support });
  await harness.ivo.waitForModal();
  await harness.ivo.submit();
  await harness.slack.waitForMessage({ channel: channels.support, text: /Cancel order A-1001.*cancelled/s });
});

test('an organization that uninstalls it leaves nothing behind in any of its workspaces', async () => {
  const harness = await startOrganization();
  await connectIn(harness, 'ida', channels.support);
  await connectIn(harness, 'ida', channels.returns);
  harness.slack.admin.uninstall(ORG);
  const { connections, installations, organizations } = await harness.terminal();
  await eventually(async () => expect(harness.logged.text()).toContain('installation data removed'));
  // The claim under which it was removed ends a moment later.
  await eventually(async () => expect(await Array.fromAsync(installations.ids())).toEqual([]));
  for (const workspace of [SUPPORT, RETURNS]) {
    expect(await connections.find(workspace)).toBeUndefined();
    expect(await organizations.of(workspace)).toBeUndefined();
  }
});

test('a purge of an organization removes a workspace, too, that it gets while the purge waits for a claim', async () => {
  const harness = await startOrganization();
  await connectIn(harness, 'ida', channels.support);
  const adapters = await harness.terminal();
  const { connections, installations, organizations } = adapters;
  await organizations.forget(RETURNS);
  const claim: typeof installations.claim = async (id, ...how) => {
    if (id === ORG) await connectIn(harness, 'ida', channels.returns);
    return installations.claim(id, ...how);
  };
  const removed = await removeAll({ ...adapters, installations: { ...installations, claim } }, ORG);
  expect(removed.map(({ id }) => id).sort()).toEqual([ORG, RETURNS, SUPPORT].sort());
  for (const workspace of [SUPPORT, RETURNS]) {
    expect(await connections.find(workspace)).toBeUndefined();
    // What is being done there may write something yet.
    const sweep = await adapters.storage.uninstalls.get({ workspace, id: 'uninstall' });
    expect(sweep?.record).toMatchObject({ step: { type: 'sweep' }, removed: [workspace] });
  }
});
