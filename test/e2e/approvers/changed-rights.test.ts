/** An event of Slack about a change clears what is cached for a minute. */
import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import {
  BY_MEMBERS,
  IN_APPROVALS,
  startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { isTold } from '../../support/e2e/told.ts';
import { eventually } from '../../support/time/eventually.ts';

const { ana, cara, dev, ben } = SEED.users;
const { approvals } = SEED.channels;
const { approvers, agents } = SEED.groups;

/** Resolves once the bot has handled the events of Slack. */
const eventsHandled = ({ slack }: Harness) => Promise.all(slack.events.list().map(({ settled }) => settled));

/** Returns the notices that are stored when an event is acknowledged; the loop posts them later. */
async function storedNotices(harness: Harness) {
  const { storage } = await harness.terminal();
  return storage.notices.list(SEED.team, { limit: 9 });
}

/** Two requests wait for approval, and Cara has approved the first one: who she is was asked just now. */
async function approvedOnce(policy: Partial<Policy>) {
  const harness = await startApprovals({ quorum: 2, ...policy });
  await harness.cancelOrder('A-1001');
  await harness.cancelOrder('A-1002');
  const [first, second] = [await harness.votedOn('A-1001'), await harness.votedOn('A-1002')];
  harness.cara.react(YES, first);
  await harness.reads(first, '1 of 2');
  return { ...harness, second };
}

test.each<[string, Partial<Policy>, (harness: Harness) => void]>([
  ['group of approvers', {}, ({ slack }) => slack.admin.setUserGroup(approvers, { users: [dev] })],
  ['approvals channel', BY_MEMBERS, ({ slack }) => slack.admin.kick(approvals, cara)],
])(
  'somebody who is taken out of the %s cannot vote any more from that moment on',
  async (_from, policy, take) => {
    const harness = await approvedOnce(policy);
    take(harness);
    await eventsHandled(harness);
    harness.cara.react(YES, harness.second);
    const heard = await eventually(async () => {
      const history = await harness.voteHistory('A-1002');
      expect(history).toHaveLength(1);
      return history;
    });
    // Before the private text, which nobody would get whose vote counts.
    expect(heard).toEqual([`refused ${cara} not_approver`]);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(/: Your vote does not count/);
  },
);

test('a bot that is taken out of the approvals channel knows at once that it cannot tell who approves', async () => {
  const harness = await approvedOnce(BY_MEMBERS);
  harness.slack.admin.kick(approvals, harness.slack.installation().bot_user_id);
  await eventsHandled(harness);
  await harness.cara.click('Approve', harness.second);
  expect((await harness.cara.waitForEphemeral()).text).toContain('I cannot see the approvals channel');
  expect(await harness.voteHistory('A-1002')).toEqual([`refused ${cara} channel_not_visible`]);
});

test.each([
  ['whose members approve', BY_MEMBERS],
  ['in which approvers are asked', IN_APPROVALS],
])(
  'a bot that is taken out of a channel %s says at once that nobody can approve, until it is invited again',
  async (_name, policy) => {
    const harness = await startAwaitingApproval(policy);
    const bot = harness.slack.installation().bot_user_id;
    const card = await harness.card('A-1001');
    harness.slack.admin.kick(approvals, bot);
    await harness.reads(card, 'I cannot see the approvals channel #approvals. An admin is notified');
    expect((await harness.olga.waitForDirectMessage()).text).toContain('/invite @Countermand');
    harness.slack.admin.invite(approvals, bot);
    await harness.reads(card, /Waiting for .*\(0 of 1\)/);
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  },
);

test('a bot that is out of a public channel, because that was archived for a while, joins it again while people vote there', async () => {
  const harness = await startAwaitingApproval();
  const { slack, cara } = harness;
  const support = SEED.channels.support;
  // Both events come after the channel is back: else the card's update tells that it is archived.
  const held = slack.events.hold();
  slack.admin.archive(support);
  slack.admin.unarchive(support);
  slack.admin.invite(support, SEED.users.cara);
  held.release();
  await expect.poll(() => slack.channel('#support').members).toContain(slack.installation().bot_user_id);
  cara.react(YES, harness.message);
  await harness.reply('A-1001', /is cancelled/);
});

test('a channel in which approvers are asked that is archived holds the approval up at once, until it is unarchived', async () => {
  const harness = await startAwaitingApproval(IN_APPROVALS);
  const card = await harness.card('A-1001');
  harness.slack.admin.archive(approvals);
  await harness.reads(card, 'the approvals channel #approvals is archived. An admin is notified');
  expect((await harness.olga.waitForDirectMessage()).text).toContain('Unarchive that channel');
  harness.slack.admin.unarchive(approvals);
  await harness.reads(card, /Waiting for .*\(0 of 1\)/);
  harness.cara.react(YES, harness.message);
  await harness.reply('A-1001', /is cancelled/);
});

test('a bot that is taken out of a public channel in which a request is voted on joins it again: no reaction is reported to it otherwise', async () => {
  const harness = await startAwaitingApproval();
  const { support } = SEED.channels;
  const bot = harness.slack.installation().bot_user_id;
  harness.slack.admin.kick(support, bot);
  await expect.poll(() => harness.slack.channel('#support').members.has(bot)).toBe(true);
  harness.cara.react(YES, harness.message);
  await harness.reply('A-1001', /is cancelled/);
  harness.slack.admin.kick(support, bot);
  await eventsHandled(harness);
  expect(harness.slack.channel('#support').members.has(bot)).toBe(false);
});

test('a request whose own channel is archived while it awaits approval ends at once, and its requester is told', async () => {
  const harness = await startAwaitingApproval();
  harness.slack.admin.archive(SEED.channels.support);
  const { text } = await harness.ana.waitForDirectMessage();
  expect(text).toMatch(/channel was no longer in use, so nothing was sent to the order service/);
});

test('an agent who is taken out of the group that may request reads so at once', async () => {
  const harness = await startHarness();
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { requesters: agents });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  harness.slack.admin.setUserGroup(agents, { users: [ben] });
  await eventsHandled(harness);
  await isTold(harness.ana, '/cancel-order A-1002 x', 'Only members of');
});

test('an agent who joins that group while Slack is asked about it may request at once', async () => {
  const harness = await startHarness();
  const { settings } = await harness.terminal();
  harness.slack.admin.setUserGroup(agents, { users: [ben] });
  await settings.change(SEED.team, { requesters: agents });
  const asking = harness.slack.faults.schedule({
    on: 'usergroups.users.list',
    fault: { type: 'hold', when: 'after' },
  });
  const told = isTold(harness.ana, '/cancel-order A-1001 x', 'Only members of');
  await asking.reached;
  harness.slack.admin.setUserGroup(agents, { users: [ana, ben] });
  await eventsHandled(harness);
  asking.release();
  await told;
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
});

test('in an organization a group that changes in one workspace is asked about anew there', async () => {
  const { id: org, support: workspace, channels, users } = SEED_ENTERPRISE;
  const harness = await startHarness({ installing: 'oauth', slack: { enterprise: true, orgDeploy: true } });
  await openBrowser(harness).install('ida', { team: org });
  const group = harness.slack.admin.addUserGroup({
    team_id: workspace,
    name: 'Requesters',
    users: [users.ivo],
  });
  const { settings } = await harness.terminal();
  await settings.change(workspace, { requesters: group.id });
  const ivo = harness.slack.person('ivo');
  const opened = (text: string) => isTold(ivo, '/cancel-order A-1001 x', text, channels.support);
  await opened('is not connected');
  harness.slack.admin.setUserGroup(group.id, { users: [users.ida] });
  await eventsHandled(harness);
  await opened('Only members of');
});

test('the admin who set a policy hears once that too few of the approvals channel can approve now', async () => {
  const harness = await startApprovals({ quorum: 2, ...BY_MEMBERS });
  for (const user of [cara, dev]) harness.slack.admin.kick(approvals, user);
  await eventsHandled(harness);
  const { text } = await harness.olga.waitForDirectMessage();
  expect(text).toMatch(
    /\*Cancel an order\*: its approvers changed \(<!date.+\), and too few were left to give 2 approvals/,
  );
  harness.slack.admin.kick(approvals, SEED.users.olga);
  await eventsHandled(harness);
  expect(await storedNotices(harness)).toHaveLength(1);
});

test('a request that waits for the approvals channel says whether enough people can approve, although its policy was changed since', async () => {
  const harness = await startAwaitingApproval({ quorum: 2, ...BY_MEMBERS });
  await harness.terminal().then(({ settings }) => settings.change(SEED.team, { policies: {} }));
  for (const user of [cara, dev]) harness.slack.admin.kick(approvals, user);
  await harness.reads(harness.message, 'An admin is notified');
  expect((await harness.olga.waitForDirectMessage()).text).toContain('You chose the approvers of');
  harness.slack.admin.invite(approvals, dev);
  await harness.reads(harness.message, '(0 of 2)');
});

test('whoever set a policy, and is no admin any more, does not hear that too few approvers are left', async () => {
  const harness = await startApprovals({ quorum: 2 });
  harness.slack.admin.setRole(SEED.users.olga, 'member');
  harness.slack.admin.setUserGroup(approvers, { users: [dev] });
  await eventually(() => expect(harness.logged.text()).toContain('not_an_admin'));
  expect(harness.olga.directMessages()).toEqual([]);
});

test('nobody hears of a group that has changed and still has enough approvers', async () => {
  const harness = await startApprovals({ quorum: 1 });
  harness.slack.admin.setUserGroup(approvers, { users: [dev, ben] });
  await eventsHandled(harness);
  expect(await storedNotices(harness)).toEqual([]);
});
