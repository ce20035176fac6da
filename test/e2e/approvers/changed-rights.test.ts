/** What is remembered of Slack for a minute is asked anew where Slack tells that it has changed. */
import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { BY_MEMBERS, startApprovals } from '../../support/e2e/approvals.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

const YES = 'white_check_mark';
const { cara, dev, ben } = SEED.users;
const { approvals } = SEED.channels;
const { approvers, agents } = SEED.groups;

/** Once the bot has taken what Slack has just told it. */
const heard = ({ slack }: Desk) => Promise.all(slack.events.list().map(({ settled }) => settled));

/** Two requests wait for approval, and Cara has approved the first one: who she is was asked just now. */
async function approvedOnce(policy: Partial<Policy>) {
  const desk = await startApprovals({ quorum: 2, ...policy });
  await desk.ask('A-1001');
  await desk.ask('A-1002');
  const [first, second] = [await desk.votedOn('A-1001'), await desk.votedOn('A-1002')];
  desk.cara.react(YES, first);
  await desk.reads(first, '1 of 2');
  return { ...desk, second };
}

test.each<[string, Partial<Policy>, (desk: Desk) => void]>([
  ['group of approvers', {}, ({ slack }) => slack.admin.setUserGroup(approvers, { users: [dev] })],
  ['approvals channel', BY_MEMBERS, ({ slack }) => slack.admin.kick(approvals, cara)],
])(
  'somebody who is taken out of the %s cannot vote any more from that moment on',
  async (_from, policy, take) => {
    const desk = await approvedOnce(policy);
    take(desk);
    await heard(desk);
    desk.cara.react(YES, desk.second);
    expect((await desk.cara.waitForEphemeral()).text).toMatch(/^Your vote does not count/);
    expect(await desk.voteHistory('A-1002')).toEqual([`refused ${cara} not_approver`]);
  },
);

test('a bot that is taken out of the approvals channel knows at once that it cannot tell who approves', async () => {
  const desk = await approvedOnce(BY_MEMBERS);
  desk.slack.admin.kick(approvals, desk.slack.installation().bot_user_id);
  await heard(desk);
  await desk.cara.click('Approve', desk.second);
  expect((await desk.cara.waitForEphemeral()).text).toContain('I cannot see the approvals channel');
  expect(await desk.voteHistory('A-1002')).toEqual([`refused ${cara} channel_not_visible`]);
});

test('an agent who is taken out of the group that may ask reads so at once', async () => {
  const desk = await startDesk();
  const { settings } = await desk.terminal();
  await settings.change(SEED.team, { requesters: agents });
  await desk.ask('A-1001');
  await desk.reply('A-1001', /is cancelled/);
  desk.slack.admin.setUserGroup(agents, { users: [ben] });
  await heard(desk);
  await desk.ana.command('/cancel-order A-1002 x', { channel: '#support' });
  await desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes('you are not in it'));
});

test('in an organization a group that changes in one workspace is asked about anew there', async () => {
  const { id: org, support: workspace, channels, users } = SEED_ENTERPRISE;
  const desk = await startDesk({ installing: 'oauth', slack: { enterprise: true, orgDeploy: true } });
  await openBrowser(desk).install('ida', { team: org });
  const group = desk.slack.admin.addUserGroup({ team_id: workspace, name: 'Askers', users: [users.ivo] });
  const { settings } = await desk.terminal();
  await settings.change(workspace, { requesters: group.id });
  const ivo = desk.slack.person('ivo');
  const opened = async (text: string) => {
    await ivo.command('/cancel-order A-1001 x', { channel: channels.support });
    await ivo.waitForModal(({ view }) => JSON.stringify(view).includes(text));
    await ivo.closeModal();
  };
  await opened('is not connected');
  desk.slack.admin.setUserGroup(group.id, { users: [users.ida] });
  await heard(desk);
  await opened('you are not in it');
});

test.each<[string, Partial<Policy>, (desk: Desk, members: string[]) => void]>([
  ['group', {}, ({ slack }, users) => slack.admin.setUserGroup(approvers, { users })],
  [
    'approvals channel',
    BY_MEMBERS,
    ({ slack }) => {
      slack.admin.kick(approvals, cara);
      slack.admin.kick(approvals, dev);
    },
  ],
])(
  'the admin who set a policy hears once that too few of the %s can approve now',
  async (_of, policy, change) => {
    const desk = await startApprovals({ quorum: 2, ...policy });
    change(desk, [dev]);
    await heard(desk);
    const { text } = await desk.olga.waitForDirectMessage();
    expect(text).toMatch(
      /\*Cancel an order\* needs 2 approvals, but its approvers have changed and there are no longer enough/,
    );
    change(desk, [dev]);
    await heard(desk);
    expect(desk.olga.directMessages()).toHaveLength(1);
  },
);

test('nobody hears of a group that has changed and still has enough approvers', async () => {
  const desk = await startApprovals({ quorum: 1 });
  desk.slack.admin.setUserGroup(approvers, { users: [dev, ben] });
  await heard(desk);
  expect(desk.olga.directMessages()).toEqual([]);
});
