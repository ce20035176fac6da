/**
 * To an installation of an organization Slack may name the person's own workspace, whichever they act in. Ida's own is Support;
 * here she acts in Returns, which alone is connected.
 */
import { describe, expect, test } from 'vitest';
import { homeOf } from '../../../sandbox/slack/views/views.ts';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { ACTIONS } from '../../../src/slack/blocks/ids.ts';
import { stamped } from '../../../src/slack/blocks/stamp.ts';
import { POLICY } from '../../support/e2e/approvals.ts';
import { connectIn, type Organization, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels } = SEED_ENTERPRISE;
const channel = channels.returns;

async function startIn(namedTeam: 'acting' | 'own') {
  const harness = await startOrganization();
  harness.slack.admin.setApp({ namedTeam });
  await connectIn(harness, 'ida', channel);
  return harness;
}

/** Joy's request in Returns, about which Ida decides there. */
async function awaitingIda(harness: Organization) {
  const { ida, joy, slack } = harness;
  const { id: group } = slack.admin.addUserGroup({ team_id: RETURNS, name: 'Deciders', users: [ida.id] });
  const { settings } = await harness.terminal();
  const policy = { ...POLICY, approvers: { type: 'group', group } as const, setBy: ida.id };
  await settings.change(RETURNS, { policies: { cancel_order: policy } });
  await joy.command('/cancel-order A-1001 Ordered twice', { channel });
  await joy.waitForModal();
  await joy.submit();
  const { ts } = await slack.waitForMessage({ channel, text: /^Cancel order A-1001.*Waiting for/s });
  return { channel, ts };
}

const cancelled = ({ slack }: Organization, order: string) =>
  slack.waitForMessage({ channel, text: new RegExp(`Cancel order ${order}.*cancelled`, 's') });

/** Opens Ida's Home tab in Returns, where the organization's event says so. */
async function openHome({ ida, slack }: Organization) {
  const event = { type: 'app_home_opened', user: ida.id, channel: 'D1', tab: 'home' };
  const authorizations = [{ enterprise_id: ORG, team_id: null, is_enterprise_install: true }];
  const about = { team_id: RETURNS, enterprise_id: ORG, authorizations, event_id: 'Ev1', event_time: 1 };
  await slack.sendCustom({ kind: 'event', body: { type: 'event_callback', ...about, event } });
  await ida.waitForHome(({ text }) => text.includes('There are no requests of yours here.'));
}

describe.each(['acting', 'own'] as const)('where Slack names the workspace they are "%s" in', (namedTeam) => {
  test('a person approves by a button in the workspace of the request', async () => {
    const harness = await startIn(namedTeam);
    const message = await awaitingIda(harness);
    await harness.ida.click(ACTIONS.approve, message);
    await cancelled(harness, 'A-1001');
  });

  test('a person declines there, in the form that the button opens', async () => {
    const harness = await startIn(namedTeam);
    const message = await awaitingIda(harness);
    await harness.ida.click(ACTIONS.decline, message);
    await harness.ida.waitForModal({ callback: 'decline' });
    expect((await harness.ida.submit({ reason: 'Too late' })).outcome).toBe('closed');
    await harness.slack.waitForMessage({ channel, text: /Cancel order A-1001.*Declined/s });
  });

  test('the button of an answer to a mention opens the form of the workspace of the mention', async () => {
    const harness = await startIn(namedTeam);
    const { ida, slack } = harness;
    const { bot_user_id } = slack.installation(ORG);
    slack.admin.invite(channel, bot_user_id);
    ida.say(`<@${bot_user_id}> cancel A-1001`, { channel });
    const { ts } = await ida.waitForEphemeral(({ text }) => text.includes('Press the button'));
    await ida.click(ACTIONS.openRequest, { channel, ts });
    await ida.waitForModal({ callback: 'request_cancel_order' });
    expect((await ida.submit({ reason_choice: 'Ordered twice' })).outcome).toBe('closed');
    await slack.waitForMessage({ channel, text: /is cancelled/ });
  });

  test('a button of the Home tab acts in the workspace in which the tab was opened, and draws it again', async () => {
    const harness = await startIn(namedTeam);
    const { ida } = harness;
    await openHome(harness);
    await ida.click('Cancel an order', 'home');
    await ida.waitForModal({ callback: 'request_cancel_order' });
    const request = { target: 'A-1001', reason_choice: 'Ordered twice', channel };
    expect((await ida.submit(request)).outcome).toBe('closed');
    await cancelled(harness, 'A-1001');
    await ida.waitForHome(({ text }) => text.includes('Cancel order A-1001'));
  });
});

test('a person of the organization who is not in the workspace of the request has no vote there', async () => {
  const harness = await startIn('own');
  const { ivo, slack, service } = harness;
  const message = await awaitingIda(harness);
  slack.admin.share(channel, SUPPORT);
  slack.admin.invite(channel, ivo.id);
  await ivo.click(ACTIONS.approve, message);
  const { text } = await ivo.waitForEphemeral(() => true);
  expect(text).toContain(
    'Countermand belongs to another workspace here, and only members of that workspace can use it.',
  );
  expect(service.calls({ operation: 'cancel_order' })).toEqual([]);
});

/** A click of Ida's on a button of hers, or of what Slack would never send. */
const click = ({ ida }: Organization, given: object) => ({
  kind: 'interactivity' as const,
  body: {
    type: 'block_actions',
    team: null,
    enterprise: { id: ORG, name: 'Initech' },
    is_enterprise_install: true,
    user: { id: ida.id, team_id: SUPPORT },
    trigger_id: '1.2.3',
    ...given,
  },
});

/** A click on Refresh of the Home tab. */
const refreshed = ({ drawn, ...about }: { drawn: string } & Record<string, string>) => ({
  view: { type: 'home', private_metadata: stamped(drawn, ''), ...about },
  actions: [{ type: 'button', action_id: ACTIONS.homeRefresh, block_id: 'any' }],
});

describe('nothing is done', () => {
  const isRefused = async ({ journal, logged }: Organization, before: number) => {
    await eventually(() => expect(logged.text()).toContain('without an installation'));
    const calls = journal.entries(({ n, from, to }) => n > before && from === 'bot' && to === 'slack');
    expect(calls).toEqual([]);
  };
  const last = ({ journal }: Organization) => journal.entries().at(-1)?.n ?? 0;

  test('by a click in what was drawn for a workspace that is not known to be of the organization', async () => {
    const harness = await startIn('own');
    const before = last(harness);
    await harness.slack.sendCustom(click(harness, refreshed({ drawn: SEED.team, team_id: SUPPORT })));
    await isRefused(harness, before);
  });

  test('by a click in what another workspace drew, where neither is in an organization', async () => {
    const harness = await startIn('own');
    const { text } = await openBrowser(harness).install('olga', { team: SEED.team });
    const other = await openBrowser(harness).install('gus', { team: SEED.otherTeam });
    expect([text, other.text]).toEqual(Array(2).fill(expect.stringContaining('is installed')));
    const before = last(harness);
    const team = { id: SEED.team, domain: 'acme' };
    const alone = { team, enterprise: null, is_enterprise_install: false };
    const there = refreshed({ drawn: SEED.otherTeam, app_installed_team_id: SEED.team });
    await harness.slack.sendCustom(click(harness, { ...alone, ...there }));
    await isRefused(harness, before);
  });

  test('by what names the organization as the workspace of its person', async () => {
    const harness = await startIn('own');
    const before = last(harness);
    const user = { id: harness.ida.id, team_id: ORG };
    const shortcut = { type: 'shortcut', callback_id: 'cancel_order', user };
    await harness.slack.sendCustom(click(harness, shortcut));
    await isRefused(harness, before);
  });
});

test('of two installations in one organization, the one whose Home tab it is gets the click', async () => {
  const harness = await startOrganization();
  const { ida, slack } = harness;
  await openBrowser(harness).install('ida', { team: SUPPORT });
  await openBrowser(harness).install('jan', { team: RETURNS });
  const team = { id: SUPPORT, domain: 'initech-support', enterprise_id: ORG };
  const onTab = refreshed({ drawn: RETURNS, app_installed_team_id: SUPPORT });
  await slack.sendCustom(click(harness, { team, enterprise: null, is_enterprise_install: false, ...onTab }));
  await eventually(() => expect(homeOf(slack.world, slack.installation(RETURNS), ida.id)).toBeDefined());
  expect(homeOf(slack.world, slack.installation(SUPPORT), ida.id)).toBeUndefined();
});

test('the welcome of a workspace names it to its button, and that of an organization leaves it to the person', async () => {
  const harness = await startOrganization();
  const { slack, ida } = harness;
  const isWelcome = ({ text }: { text: string }) => text.includes('is installed');
  expect(JSON.stringify(await ida.waitForDirectMessage(isWelcome))).not.toContain('"value"');
  await openBrowser(harness).install('jan', { team: RETURNS });
  const welcome = await slack.person('jan').waitForDirectMessage(isWelcome);
  expect(JSON.stringify(welcome)).toContain(`"value":${JSON.stringify(stamped(RETURNS, ''))}`);
});
