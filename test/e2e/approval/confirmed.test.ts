/** The reactions on the message and the rights of the approvers are read again before votes decide. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import {
  type Approvals,
  BY_MEMBERS,
  IN_APPROVALS,
  read,
  startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';

const { ana, ben, cara, dev, gus } = SEED.users;
const { approvals } = SEED.channels;
const { approvers } = SEED.groups;
const COUNTED = `1 of 2: @Dev Das`;
const REACT_AGAIN = 'To react again, they must remove their reaction first.';

type Losing = [string, Partial<Policy>, (harness: Approvals) => void, problem: string, why: string];

/** The ways in which somebody who has approved loses the right to it. Slack need not tell of it. */
const LOSING: Losing[] = [
  [
    'leaves the user group',
    {},
    ({ slack }) => slack.admin.setUserGroup(approvers, { users: [dev, ben] }),
    'not_approver',
    'they were not an approver',
  ],
  [
    'leaves the approvals channel',
    { ...BY_MEMBERS, ...IN_APPROVALS },
    ({ slack }) => {
      slack.admin.kick(approvals, cara);
      slack.admin.invite(approvals, ben);
    },
    'not_approver',
    'they were not an approver',
  ],
  [
    'becomes a guest',
    { approvers: { type: 'people', people: [cara, dev, ben] } },
    ({ slack }) => slack.admin.setRole(cara, 'guest'),
    'guest',
    'they were a guest',
  ],
  [
    'leaves the company',
    { approvers: { type: 'people', people: [cara, dev, ben] } },
    ({ slack }) => slack.admin.deactivate(cara),
    'deactivated',
    'their account was deactivated',
  ],
];

const [LEAVES_GROUP] = LOSING as [Losing];

test.each<['react' | 'click', ...Losing]>([
  ['click', ...LEAVES_GROUP],
  ...LOSING.map((losing): ['react', ...Losing] => ['react', ...losing]),
])(
  'the vote (%s) of an approver who %s before the quorum is reached does not count: the count is open again',
  async (by, _name, policy, lose, problem, why) => {
    const harness = await startAwaitingApproval({ quorum: 2, ...policy });
    if (by === 'react') harness.cara.react(YES, harness.message);
    else await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Cara Conti');
    // Whatever Slack tells of it is lost.
    harness.slack.events.hold('subteam_members_changed', 'subteam_updated', 'member_left_channel');
    lose(harness);
    harness.dev.react(YES, harness.message);
    await harness.reads(harness.message, `@Cara Conti's vote no longer counts: ${why}.`);
    const canReturn = by === 'react' && problem === 'not_approver';
    expect(read(harness, harness.message).includes(REACT_AGAIN)).toBe(canReturn);
    expect(read(harness, harness.message)).toContain(COUNTED);
    expect((await harness.voteHistory('A-1001'))?.at(-1)).toBe(`void ${cara} ${problem}`);
    expect(harness.calls()).toBe(0);
    await harness.ben.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const { approval } = await harness.record('A-1001');
    expect(approval?.decision?.by.toSorted()).toEqual([ben, dev].toSorted());
  },
);

test.each(['react', 'click'] as const)(
  'an approver who comes back can vote anew, and the card names the lost vote no more (%s)',
  async (by) => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const approve = async () =>
      by === 'react'
        ? harness.cara.react(YES, harness.message)
        : harness.cara.click('Approve', harness.message);
    await approve();
    await harness.reads(harness.message, '1 of 2');
    harness.slack.admin.setUserGroup(approvers, { users: [dev, ben] });
    await harness.dev.click('Approve', harness.message);
    await harness.reads(harness.message, "@Cara Conti's vote no longer counts: they were not an approver.");
    expect(read(harness, harness.message).includes(REACT_AGAIN)).toBe(by === 'react');
    harness.slack.admin.setUserGroup(approvers, { users: [cara, dev] });
    // The card is not updated for that, and must stay true.
    expect(read(harness, harness.message)).not.toContain('are not an approver');
    if (by === 'react') harness.cara.unreact(YES, harness.message);
    await approve();
    await harness.reply('A-1001', /is cancelled/);
    expect(read(harness, harness.message)).not.toContain('no longer counts');
  },
);

test('somebody of another company never decides, though a vote of theirs was written down', async () => {
  const harness = await startAwaitingApproval({
    quorum: 2,
    approvers: { type: 'people', people: [cara, dev, gus, ana] },
  });
  await harness.cara.click('Approve', harness.message);
  await harness.reads(harness.message, '1 of 2');
  const moved = harness.slack.world.users.get(cara);
  if (moved) moved.team_id = SEED.otherTeam;
  await harness.dev.click('Approve', harness.message);
  await harness.reads(
    harness.message,
    "@Cara Conti's vote no longer counts: they belonged to another company.",
  );
  expect(harness.calls()).toBe(0);
});

test('an approver who leaves so few that nobody can approve is reported to the admin who chose them', async () => {
  const harness = await startAwaitingApproval({
    quorum: 2,
    approvers: { type: 'people', people: [cara, dev] },
  });
  await harness.cara.click('Approve', harness.message);
  await harness.reads(harness.message, '1 of 2');
  harness.slack.admin.deactivate(cara);
  await harness.dev.click('Approve', harness.message);
  await harness.reads(
    harness.message,
    'There are not enough approvers besides the requester. An admin is notified',
  );
  await harness.olga.waitForDirectMessage(({ text }) => text.includes('There are not enough approvers'));
  expect(read(harness, harness.message)).toContain("@Cara Conti's vote no longer counts");
});

describe('while the approvers are checked', () => {
  test('the message that was voted on says so, and nothing is sent', async () => {
    const harness = await startAwaitingApproval(IN_APPROVALS);
    const looking = harness.slack.faults.schedule({
      on: 'reactions.get',
      fault: { type: 'hold', when: 'before' },
    });
    harness.cara.react(YES, harness.message);
    await looking.reached;
    await harness.reads(
      harness.message,
      'Checking whether the approvers may still approve (1 of 1: @Cara Conti). Nothing is sent until that is clear.',
    );
    expect(harness.calls()).toBe(0);
    looking.release();
    await harness.reply('A-1001', /is cancelled/);
  });

  test('another approver can decline, and that ends it', async () => {
    const harness = await startAwaitingApproval();
    const looking = harness.slack.faults.schedule({
      on: 'reactions.get',
      fault: { type: 'hold', when: 'before' },
    });
    harness.cara.react(YES, harness.message);
    await looking.reached;
    harness.dev.react('x', harness.message);
    await expect.poll(async () => (await harness.record('A-1001')).state).toBe('declined');
    looking.release();
    await harness.reply('A-1001', /Dev Das declined/);
    expect(harness.calls()).toBe(0);
  });

  test('a vote that was taken back, and is cast again before the check is over, counts', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Cara Conti');
    harness.slack.events.hold('reaction_removed');
    harness.cara.unreact(YES, harness.message);
    const looking = harness.slack.faults.schedule({
      on: 'reactions.get',
      fault: { type: 'hold', when: 'after' },
    });
    harness.dev.react(YES, harness.message);
    await looking.reached;
    harness.cara.react(YES, harness.message);
    const votesOf = async () =>
      (await harness.voteHistory('A-1001'))?.filter((entry) => entry === `voted ${cara}`);
    await expect.poll(votesOf).toHaveLength(2);
    looking.release();
    await harness.reply('A-1001', /is cancelled/);
    expect(await harness.voteHistory('A-1001')).not.toContain(`gone ${cara}`);
  });

  test('requests that are checked at about the same time share one list of the group', async () => {
    const harness = await startApprovals({ quorum: 2 });
    const orders = ['A-1001', 'A-1002', 'A-1003'];
    for (const order of orders) await harness.cancelOrder(order);
    const lists = () => harness.journal.entries(({ name }) => name === 'usergroups.users.list').length;
    const before = lists();
    const messages = await Promise.all(orders.map((order) => harness.votedOn(order)));
    for (const message of messages) await harness.cara.click('Approve', message);
    await Promise.all(messages.map((message) => harness.dev.click('Approve', message)));
    for (const order of orders) await harness.reply(order, /is cancelled|under review|reviewing/);
    expect(lists() - before).toBeLessThan(orders.length);
  });
});

const UNCHECKED = /I cannot check right now whether the approvers may still approve/;

/** `skip`: how often Slack is asked for Dev's vote itself, which is taken. */
type Unsaid = [what: string, policy: Partial<Policy>, method: string, skip: number, trouble: RegExp];

const IN_GROUP: Unsaid = ['who is in the group', {}, 'usergroups.users.list', 0, UNCHECKED];
const REACTIONS: Unsaid = [
  'which reactions stand',
  {},
  'reactions.get',
  0,
  /I cannot read the reactions right/,
];
const UNSAID: Unsaid[] = [
  IN_GROUP,
  ['who is in the approvals channel', BY_MEMBERS, 'conversations.members', 1, UNCHECKED],
  ['who an approver is', {}, 'users.info', 0, UNCHECKED],
  REACTIONS,
];

describe('while Slack cannot say', () => {
  /** Cara has voted, and from then on Slack does not answer. */
  async function unreadable(
    [, policy, method, skip]: Unsaid,
    options: Parameters<typeof startAwaitingApproval>[1] = {},
  ) {
    const harness = await startAwaitingApproval({ quorum: 2, ...policy }, options);
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    const fault = { type: 'status', status: 503 } as const;
    const away = harness.slack.faults.schedule({ on: method, skip, times: 1_000, fault });
    harness.dev.react(YES, harness.message);
    return { ...harness, away };
  }

  test.each(UNSAID)(
    '%s, nothing is sent; it is tried again, and sent once Slack answers',
    async (...unsaid) => {
      const harness = await unreadable(unsaid);
      await harness.reads(
        harness.message,
        'Checking whether the approvers may still approve (2 of 2: @Cara Conti and @Dev Das)',
      );
      await expect.poll(async () => (await harness.record('A-1001')).approval?.confirmation?.tries).toBe(1);
      expect(harness.calls()).toBe(0);
      harness.away.cancel();
      await harness.reply('A-1001', /is cancelled/);
      expect(harness.calls()).toBe(1);
      expect(harness.olga.directMessages()).toEqual([]);
    },
  );

  test.each([IN_GROUP, REACTIONS])(
    '%s, an admin hears of it after a while, the card says so, and it goes on all the same',
    async (...unsaid) => {
      const [, , , , trouble] = unsaid;
      const harness = await unreadable(unsaid, {
        overrides: {
          timings: { ...TIMINGS, doubtMs: 100, apartMs: 0, unconfirmedMs: 100 },
          runner: { sweepMs: 50 },
        },
      });
      await harness.reads(harness.message, trouble);
      await harness.olga.waitForDirectMessage(({ text }) => trouble.test(text));
      expect(harness.calls()).toBe(0);
      harness.away.cancel();
      await harness.reply('A-1001', /is cancelled/);
      expect(harness.olga.directMessages().filter(({ text }) => trouble.test(text))).toHaveLength(1);
    },
  );

  test('which reactions stand, the request expires in its time', async () => {
    const clock = shiftedClock();
    const harness = await unreadable(REACTIONS, clock.options);
    await expect.poll(async () => (await harness.record('A-1001')).approval?.confirmation?.tries).toBe(1);
    clock.pass(9 * 3_600_000);
    await harness.reply('A-1001', /approvals could not be confirmed in time.*nothing was sent/);
    expect(harness.calls()).toBe(0);
  });
});
