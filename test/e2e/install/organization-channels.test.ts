/**
 * Channels that an org-wide installation shares with workspaces that it does not serve: of another company, and one of the
 * organization with an installation of its own. Slack names the workspace in which the channel was made, and authorizes the event
 * for the organization.
 */
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { postMessage } from '../../../sandbox/slack/world/messages.ts';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { POLICY, YES } from '../../support/e2e/approvals.ts';
import { connectIn, type Organization, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, returns: RETURNS, channels, users } = SEED_ENTERPRISE;
const { team: ACME } = SEED;
const PARTNERS = SEED.channels.partners;

/** A channel of Acme that it shares with Support, with the organization's bot and with these people. */
function shareWithSupport({ slack }: Organization, people: readonly string[]) {
  slack.admin.share(PARTNERS, SUPPORT);
  for (const user of [slack.installation(ORG).bot_user_id, ...people]) slack.admin.invite(PARTNERS, user);
}

/** A request that waits for one approver, in a workspace's channel. */
async function awaiting(
  harness: Organization,
  { team, approver, who, channel }: { team: string; approver: string; who: string; channel: string },
) {
  const { slack } = harness;
  const { settings } = await harness.terminal();
  const policy = { ...POLICY, approvers: { type: 'people' as const, people: [approver] }, setBy: users.ida };
  await settings.change(team, { sharedChannels: true, policies: { cancel_order: policy } });
  await harness.cancelOrder('A-1001', { who: slack.person(who), channel });
  return slack.waitForMessage({ channel, text: /A-1001.*Waiting for/s });
}

const sent = ({ slack }: Organization, type: string) =>
  slack.events.list().filter(({ envelope }) => (envelope['event'] as { type: string }).type === type);

/** An event that Slack authorizes for the organization. */
function eventFor(team_id: string, event: object) {
  const authorizations = [{ enterprise_id: ORG, team_id: null, is_enterprise_install: true }];
  const about = { team_id, enterprise_id: ORG, authorizations, event_id: `Ev${team_id}`, event_time: 1 };
  return { type: 'event_callback', ...about, event };
}

const lists = ({ journal }: Organization) =>
  journal.entries({ kind: 'web_api', name: 'auth.teams.list' }).length;

const looks = ({ journal }: Organization) =>
  journal.entries({ kind: 'web_api', name: 'conversations.info' }).length;

/** Waits until the bot has answered each reaction. */
async function allSettled(harness: Organization) {
  for (const { settled } of sent(harness, 'reaction_added')) await settled;
}

/** From now on, Slack does not list the workspaces of the organization. The bot restarts, so that it remembers no list. */
async function failToList({ slack, restart }: Organization) {
  await restart();
  slack.faults.schedule({ on: 'auth.teams.list', fault: { type: 'status', status: 500 }, times: 999 });
}

describe('in a channel of another company', () => {
  /** Ivo's request there waits for Ida. */
  async function startRequest(kind: 'public' | 'private') {
    const harness = await startOrganization();
    await connectIn(harness, 'ida', channels.support);
    harness.slack.channel('#partners').kind = kind;
    shareWithSupport(harness, [users.ivo, users.ida]);
    const request = { team: SUPPORT, approver: users.ida, who: 'ivo', channel: PARTNERS };
    return { ...harness, message: await awaiting(harness, request) };
  }

  test('a vote counts, though that company has installed the bot, and has it not in the channel', async () => {
    const harness = await startRequest('private');
    await openBrowser(harness).install('olga', { team: ACME });
    harness.ida.react(YES, harness.message);
    expect(sent(harness, 'reaction_added').at(-1)?.envelope).toMatchObject({
      team_id: ACME,
      authorizations: [{ enterprise_id: ORG, team_id: null }],
    });
    await harness.slack.waitForMessage({ thread_ts: harness.message.ts, text: /is cancelled/ });
  });

  test('a vote counts, though the token of that company is dead', async () => {
    const harness = await startRequest('public');
    await openBrowser(harness).install('olga', { team: ACME });
    harness.slack.events.hold('app_uninstalled', 'tokens_revoked');
    harness.slack.admin.uninstall(ACME);
    harness.ida.react(YES, harness.message);
    await harness.slack.waitForMessage({ thread_ts: harness.message.ts, text: /is cancelled/ });
    expect(sent(harness, 'reaction_added').at(-1)?.attempts).toEqual([200]);
  });

  test('a vote counts while Slack cannot list the workspaces of the organization', async () => {
    const harness = await startRequest('private');
    await failToList(harness);
    harness.ida.react(YES, harness.message);
    await harness.slack.waitForMessage({ thread_ts: harness.message.ts, text: /is cancelled/ });
    expect(sent(harness, 'reaction_added').at(-1)?.attempts).toEqual([200]);
    const { organizations } = await harness.terminal();
    expect(await organizations.of(ACME)).toBeUndefined();
  });
});

describe('another company whose channel the organization has', () => {
  const EMOJI = ['taco', 'sushi', 'pizza', 'cake', 'tea'];

  /** After a few reactions in that channel. */
  async function startReacted() {
    const harness = await startOrganization();
    const { slack, ivo } = harness;
    const before = lists(harness);
    shareWithSupport(harness, [ivo.id]);
    const { ts } = await ivo.say('Lunch?', { channel: PARTNERS });
    for (const emoji of EMOJI) ivo.react(emoji, { channel: PARTNERS, ts });
    await allSettled(harness);
    expect(sent(harness, 'reaction_added').map(({ attempts }) => attempts)).toEqual(EMOJI.map(() => [200]));
    const { organizations } = await harness.terminal();
    return { ...harness, slack, organizations, asked: lists(harness) - before };
  }

  test('is not taken for one of its workspaces, and Slack is not asked about it for each event', async () => {
    const { organizations, asked } = await startReacted();
    expect(await organizations.of(ACME)).toBeUndefined();
    // Perhaps also about the workspace of the welcome message.
    expect(asked).toBeLessThanOrEqual(2);
  });

  test('and several others are asked about together', async () => {
    const harness = await startReacted();
    const before = lists(harness);
    for (const team of ['T0STRANGE1', 'T0STRANGE2', 'T0STRANGE3']) {
      const body = eventFor(team, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
      expect(await harness.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
    }
    expect(lists(harness) - before).toBeLessThanOrEqual(1);
  });

  test('leaves nothing behind when it uninstalls the bot', async () => {
    const harness = await startReacted();
    const { slack } = harness;
    await openBrowser(harness).install('olga', { team: ACME });
    const { connect, connections } = await harness.terminal();
    const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: SEED.users.olga } as const;
    await connect({ workspace: ACME, token: SEED_TOKENS.acme.rest, ...how });
    slack.admin.uninstall(ACME);
    await eventually(async () => expect(await connections.find(ACME)).toBeUndefined());
  });

  test('has its own Home tab, of which an event of the organization draws none', async () => {
    const harness = await startReacted();
    const body = eventFor(ACME, {
      type: 'app_home_opened',
      user: SEED.users.olga,
      channel: 'D1',
      tab: 'home',
    });
    expect(await harness.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
    await eventually(() => expect(harness.logged.text()).toContain('without an installation'));
  });
});

test('a vote counts in a private channel of a workspace that has its own installation of the bot, too', async () => {
  const harness = await startOrganization();
  const { slack, jan, joy } = harness;
  await connectIn(harness, 'ida', channels.returns);
  slack.channel('#initech-support').kind = 'private';
  slack.admin.share(channels.support, RETURNS);
  for (const user of [slack.installation(ORG).bot_user_id, joy.id, jan.id])
    slack.admin.invite(channels.support, user);
  const request = { team: RETURNS, approver: jan.id, who: 'joy', channel: channels.support };
  const card = await awaiting(harness, request);
  await openBrowser(harness).install('ida', { team: SUPPORT });
  jan.react(YES, card);
  expect(sent(harness, 'reaction_added').at(-1)?.envelope).toMatchObject({
    team_id: SUPPORT,
    authorizations: [{ enterprise_id: ORG, team_id: null }],
  });
  await slack.waitForMessage({ thread_ts: card.ts, text: /is cancelled/ });
});

test('a workspace that joins the organization later is learnt when it first uses the bot', async () => {
  const harness = await startOrganization();
  const { slack } = harness;
  slack.admin.setAccess(ORG, RETURNS, false);
  await sent(harness, 'team_access_revoked').at(-1)?.settled;
  const { organizations } = await harness.terminal();
  await eventually(async () => expect(await organizations.of(RETURNS)).toBeUndefined());
  const { ts } = await harness.ivo.say('Lunch?', { channel: channels.support });
  harness.ivo.react('taco', { channel: channels.support, ts });
  slack.admin.setAccess(ORG, RETURNS, true);
  await connectIn(harness, 'ida', channels.returns);
  expect(await organizations.of(RETURNS)).toBe(ORG);
});

test('a reaction has the bot look at no channel while one workspace of the organization alone uses it', async () => {
  const harness = await startOrganization();
  const { slack, ivo } = harness;
  await connectIn(harness, 'ida', channels.support);
  slack.admin.invite(channels.support, slack.installation(ORG).bot_user_id);
  const bot = slack.installation(ORG).bot_user_id;
  const { id: channel } = slack.admin.addChannel({ team_id: SUPPORT, name: 'lunch', members: [ivo.id, bot] });
  const { ts } = postMessage(slack.world, slack.channel(channel), { user: bot, text: 'Hello' });
  const before = looks(harness);
  ivo.react('taco', { channel, ts });
  await allSettled(harness);
  expect(sent(harness, 'reaction_added').map(({ attempts }) => attempts)).toEqual([[200]]);
  expect(looks(harness) - before).toBe(0);
});

test('emoji in ninety channels keep nobody from making a request', async () => {
  const harness = await startOrganization({ slack: { limits: {} } });
  const { slack, ivo } = harness;
  for (const channel of [channels.support, channels.returns]) await connectIn(harness, 'ida', channel);
  const members = [ivo.id, slack.installation(ORG).bot_user_id];
  const before = looks(harness);
  for (let count = 0; count < 90; count += 1) {
    const { id } = slack.admin.addChannel({ team_id: SUPPORT, name: `busy-${count}`, members });
    const { ts } = await ivo.say('Lunch?', { channel: id });
    ivo.react('taco', { channel: id, ts });
  }
  await allSettled(harness);
  expect(new Set(sent(harness, 'reaction_added').flatMap(({ attempts }) => attempts))).toEqual(
    new Set([200]),
  );
  expect(looks(harness) - before).toBe(0);
  await harness.cancelOrder('A-1001', { who: ivo, channel: channels.support });
  await slack.waitForMessage({ channel: channels.support, text: /is cancelled/ });
});

test('an event names its workspace also where Slack leaves that out of the authorization', async () => {
  const { slack, ida } = await startOrganization();
  const event = { type: 'app_home_opened', user: ida.id, channel: 'D1', tab: 'home' };
  const authorizations = [{ enterprise_id: ORG, is_bot: true, is_enterprise_install: true }];
  const about = { team_id: RETURNS, enterprise_id: ORG, authorizations, event_id: 'Ev1', event_time: 1 };
  await slack.sendCustom({ kind: 'event', body: { type: 'event_callback', ...about, event } });
  await ida.waitForHome(() => true);
});

describe('an event in a workspace of which Slack cannot say whose it is', () => {
  test.each([
    ['app_home_opened', { channel: 'D1', tab: 'home' }],
    ['app_mention', { channel: channels.returns, text: '<@UBOT> cancel A-1001', ts: '1700000000.000100' }],
  ])(
    'is not acknowledged if nobody else can act on it, so that Slack delivers it again: %s',
    async (type, more) => {
      const harness = await startOrganization();
      const { slack, joy } = harness;
      const fault = { type: 'status', status: 500 } as const;
      slack.faults.schedule({ on: 'auth.teams.list', fault, times: 999 });
      // A list that Slack gave before is not used for a new installation.
      await openBrowser(harness).install('ida', { team: ORG });
      const body = eventFor(RETURNS, { type, user: joy.id, ...more });
      expect(await slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 503 });
    },
  );
});
