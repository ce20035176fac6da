import { expect, test, vi } from 'vitest';
import { SEED_TOKENS } from '../../sandbox/order-service/seed.ts';
import { SEED_ENTERPRISE } from '../../sandbox/slack/world/seed-enterprise.ts';
import { LEAVE_TIMINGS } from '../../src/workspaces/leave.ts';
import { startDesk } from '../support/desk.ts';
import { openBrowser } from '../support/install-browser.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels } = SEED_ENTERPRISE;

/** Installed by Ida in the whole organization, and connected in both of its workspaces. */
async function startOrganization() {
  const desk = await startDesk({
    installing: 'oauth',
    overrides: { leaving: { ...LEAVE_TIMINGS, recheckMs: 50, retryMs: 50, sweepMs: 50 } },
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
  await joy.waitForModal(({ view }) => JSON.stringify(view).includes('Nobody has connected'));
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
  await desk.slack.forge({
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
  await vi.waitFor(() => expect(desk.logged.text()).toContain('not installed there'));
  expect(await organizations.workspaces(ORG)).toEqual([]);
});

test('user groups can be chosen there, for which Slack wants to know the workspace', async () => {
  const desk = await startOrganization();
  const group = desk.slack.admin.addUserGroup({ team_id: SUPPORT, name: 'Cancellers' });
  desk.slack.admin.setUserGroup(group.id, { users: [desk.ivo.id] });
  await connectIn(desk, 'ida', channels.support);
  await desk.ida.command('/countermand settings', { channel: channels.support });
  await desk.ida.waitForModal(({ callback_id }) => callback_id === 'settings');
  const { options } = await desk.ida.search('askers', 'Canc');
  expect(options).toHaveLength(1);
  await desk.ida.submit({ askers: group.id });
  await desk.ivo.command('/cancel-order A-1001 x', { channel: channels.support });
  await desk.ivo.waitForModal(({ callback_id }) => callback_id === 'ask_cancel_order');
  await desk.ivo.closeModal();
  await desk.ida.command('/cancel-order A-1001 x', { channel: channels.support });
  await desk.ida.waitForModal(({ view }) => JSON.stringify(view).includes('group'));
});

test('an organization that uninstalls it leaves nothing behind in any of its workspaces', async () => {
  const desk = await startOrganization();
  await connectIn(desk, 'ida', channels.support);
  await connectIn(desk, 'jan', channels.returns);
  desk.slack.admin.uninstall(ORG);
  const { connections, installations, organizations } = await desk.terminal();
  await vi.waitFor(
    async () => expect(desk.logged.text()).toContain('what was stored of an installation is removed'),
    { timeout: 5_000 },
  );
  expect(await installations.list()).toEqual([]);
  for (const workspace of [SUPPORT, RETURNS]) {
    expect(await connections.find(workspace)).toBeUndefined();
    expect(await organizations.of(workspace)).toBeUndefined();
  }
});
