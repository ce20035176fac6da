import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import {
  type Approvals,
  BY_MEMBERS,
  IN_APPROVALS,
  read,
  startApprovals,
  startAwaitingApproval,
} from '../../support/e2e/approvals.ts';

const YES = 'white_check_mark';
const { ana, ben, cara, dev, gina, sid, gus } = SEED.users;
const { approvals, support } = SEED.channels;
const { approvers } = SEED.groups;

type AwaitingApproval = Awaited<ReturnType<typeof startAwaitingApproval>>;

/** Somebody who is named as an approver, and still can't be one. */
const NEVER: readonly [string, string, string, (harness: AwaitingApproval) => void, RegExp][] = [
  ['the one who asked', ana, 'own_request', () => {}, /because you made this request/],
  ['a guest', gina, 'guest', () => {}, /Guests cannot use Countermand/],
  ['a guest of one channel', sid, 'guest', () => {}, /Guests cannot use Countermand/],
  [
    'a member of another company, in a channel that became shared',
    gus,
    'external_user',
    ({ slack }) => {
      slack.admin.share(support, SEED.otherTeam);
      slack.admin.invite(support, gus);
    },
    /Only members of this workspace/,
  ],
];

describe.each(NEVER)('%s', (_name, id, problem, prepare, text) => {
  /** The group of approvers names them. */
  async function named() {
    const harness = await startAwaitingApproval({ approvers: { type: 'people', people: [id, cara] } });
    prepare(harness);
    return { ...harness, voter: harness.slack.person(id) };
  }

  /** Expects that nobody else was notified, that the history has the vote, and that an approver can still vote. */
  async function isRefused(harness: AwaitingApproval) {
    const thread = harness.slack.thread('#support', harness.message.ts);
    expect(
      thread.filter(({ text: said }) => !said.includes('is now shared with another company')),
    ).toHaveLength(1);
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${id} ${problem}`]);
    expect(read(harness, harness.message)).toContain('(0 of 1).');
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  }

  test('does not count by reaction, and is told so privately', async () => {
    const harness = await named();
    harness.voter.react(YES, harness.message);
    expect((await harness.voter.waitForEphemeral()).text).toMatch(text);
    await isRefused(harness);
  });

  test('does not count by button, and is told so privately', async () => {
    const harness = await named();
    await harness.voter.click('Approve', harness.message);
    expect((await harness.voter.waitForEphemeral()).text).toMatch(text);
    await isRefused(harness);
  });

  test('cannot deny either', async () => {
    const harness = await named();
    await harness.voter.click('Decline', harness.message);
    const { view } = await harness.voter.waitForModal((modal) => text.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    await isRefused(harness);
  });
});

describe('who is not an approver', () => {
  test.each<[string, Partial<Policy>]>([
    ['in the group', { approvers: { type: 'group', group: approvers } }],
    ['among those named', { approvers: { type: 'people', people: [cara, dev] } }],
    ['in the approvals channel', BY_MEMBERS],
  ])('(not %s) does not count, and reads who is', async (_name, policy) => {
    const harness = await startAwaitingApproval(policy);
    harness.ben.react(YES, harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toMatch(
      /^Your vote does not count: only .+ can decide this\.$/,
    );
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${ben} not_approver`]);
    expect(harness.calls()).toBe(0);
  });

  test('cannot keep the others from voting by trying until Slack does not answer any more', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const fault = { type: 'rate_limit' as const, retryAfterSeconds: 60 };
    harness.slack.faults.order({ on: 'usergroups.users.list', fault, times: 99 });
    await harness.ben.click('Approve', harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toMatch(/^Your vote does not count/);
    harness.cara.react(YES, harness.message);
    await harness.dev.click('Approve', harness.message);
    await harness.reads(
      harness.message,
      'Checking whether the approvers may still approve (2 of 2: @Cara Conti and @Dev Das)',
    );
  });

  test('can take nobody else’s vote back, nor leave a trace by trying', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    harness.cara.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2');
    harness.ben.react(YES, harness.message);
    await harness.ben.waitForEphemeral();
    harness.ben.unreact(YES, harness.message);
    await harness.slack.events.list().at(-1)?.settled;
    expect(await harness.voteHistory('A-1001')).toEqual([`voted ${cara}`, `refused ${ben} not_approver`]);
    expect(read(harness, harness.message)).toContain('1 of 2: @Cara Conti');
  });
});

describe('who cannot vote any more when their vote arrives', () => {
  test.each<[string, (harness: AwaitingApproval) => void, string]>([
    ['deactivated', ({ slack }) => slack.admin.deactivate(cara), 'deactivated'],
    ['made a guest', ({ slack }) => slack.admin.setRole(cara, 'guest'), 'guest'],
    [
      'taken out of the group',
      ({ slack }) => slack.admin.setUserGroup(approvers, { users: [dev] }),
      'not_approver',
    ],
  ])('(%s) does not count', async (_name, change, problem) => {
    const harness = await startAwaitingApproval();
    const held = harness.slack.events.hold('reaction_added');
    harness.cara.react(YES, harness.message);
    change(harness);
    // The members of the group are cached for a minute; not beyond a restart.
    await harness.restart();
    await held.deliver(0).settled;
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${cara} ${problem}`]);
    expect(harness.calls()).toBe(0);
  });

  test('a bot does not count', async () => {
    const harness = await startApprovals();
    const bot = harness.slack.admin.addUser({ team_id: SEED.team, name: 'autoapprove', is_bot: true });
    harness.slack.admin.invite(support, bot.id);
    harness.slack.admin.setUserGroup(approvers, { users: [bot.id, cara] });
    await harness.cancelOrder('A-1001');
    harness.slack.person(bot.id).react(YES, await harness.votedOn('A-1001'));
    await expect.poll(() => harness.voteHistory('A-1001')).toEqual([`refused ${bot.id} bot`]);
    expect(harness.calls()).toBe(0);
  });
});

describe('who becomes an approver', () => {
  test('by the user group may vote at once', async () => {
    const harness = await startAwaitingApproval();
    harness.ben.react(YES, harness.message);
    await harness.ben.waitForEphemeral();
    harness.slack.admin.setUserGroup(approvers, { users: [ben] });
    await harness.ben.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('by the approvals channel may vote at once; and who leaves it no more', async () => {
    const harness = await startAwaitingApproval({ ...BY_MEMBERS, ...IN_APPROVALS, quorum: 2 });
    harness.slack.admin.kick(approvals, dev);
    harness.slack.admin.invite(approvals, ben);
    harness.ben.react(YES, harness.message);
    await harness.reads(harness.message, '1 of 2: @Ben Brandt');
    harness.slack.admin.invite(approvals, dev);
    harness.dev.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('and leaves the approvals channel, does not count', async () => {
    const harness = await startAwaitingApproval({ ...BY_MEMBERS, ...IN_APPROVALS });
    const held = harness.slack.events.hold('reaction_added');
    harness.dev.react(YES, harness.message);
    harness.slack.admin.kick(approvals, dev);
    await held.deliver(0).settled;
    expect(await harness.voteHistory('A-1001')).toEqual([`refused ${dev} not_approver`]);
    expect(harness.calls()).toBe(0);
  });
});

type Break = [string, Partial<Policy>, (harness: Approvals) => void, (harness: Approvals) => void, RegExp];

const bot = (harness: Approvals) => harness.slack.installation().bot_user_id;

const ofChannel = (policy: Partial<Policy>): Break[] => [
  [
    'is archived',
    policy,
    ({ slack }) => slack.admin.archive(approvals),
    ({ slack }) => slack.admin.unarchive(approvals),
    /the approvals channel #approvals is archived/,
  ],
  [
    'is shared',
    policy,
    ({ slack }) => slack.admin.share(approvals, SEED.otherTeam),
    ({ slack }) => slack.admin.unshare(approvals, SEED.otherTeam),
    /the approvals channel #approvals is shared with another company/,
  ],
  [
    'is public',
    policy,
    (harness) => setKind(harness, 'public'),
    (harness) => setKind(harness, 'private'),
    /the approvals channel #approvals is not private/,
  ],
  [
    'has lost the bot',
    policy,
    (harness) => harness.slack.admin.kick(approvals, bot(harness)),
    (harness) => harness.slack.admin.invite(approvals, bot(harness)),
    /I cannot see the approvals channel #approvals/,
  ],
];

function setKind({ slack }: Approvals, kind: 'public' | 'private') {
  slack.channel('#approvals').kind = kind;
}

const GROUP_GONE: Break = [
  'is gone',
  {},
  ({ slack }) => slack.admin.setUserGroup(approvers, { deleted: true }),
  ({ slack }) => slack.admin.setUserGroup(approvers, { deleted: false }),
  /the user group @approvers is gone or cannot be read/,
];

/** The admin who set the policy has read it once, and nobody else. */
async function olgaIsToldOnce(harness: Approvals, text: RegExp) {
  await harness.olga.waitForDirectMessage();
  const notices = harness.olga
    .directMessages()
    .map((message) => harness.slack.renderThread(message.channel, message.ts));
  expect(notices).toEqual([expect.stringMatching(text)]);
  expect(notices[0]).toContain('“Cancel order A-1001”, requested by @Ana Alvarez in #support');
  expect(harness.slack.person('oscar').directMessages()).toEqual([]);
}

describe('while the approvers cannot be resolved', () => {
  describe.each([GROUP_GONE, ...ofChannel(BY_MEMBERS)])(
    'because the group or channel of approvers %s',
    (_name, policy, breaks, mends, text) => {
      test('nothing is sent, the card and an admin say why; once it is mended it goes on', async () => {
        const harness = await startApprovals(policy);
        breaks(harness);
        await harness.cancelOrder('A-1001');
        const card = await harness.votedOn('A-1001');
        await harness.reads(card, text);
        await harness.reads(card, 'The request is not sent until that is fixed. An admin is notified.');
        await harness.cara.click('Approve', card);
        expect((await harness.cara.waitForEphemeral()).text).toMatch(
          /^Your vote was not counted\. .*Vote again once that is fixed\.$/,
        );
        await harness.olga.waitForDirectMessage();
        expect(harness.calls()).toBe(0);
        mends(harness);
        await harness.cara.click('Approve', card);
        await harness.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(harness, text);
      });

      test('it is found out by the first vote, if it happens after the request was made', async () => {
        const harness = await startAwaitingApproval(policy);
        breaks(harness);
        await harness.restart();
        await harness.cara.click('Approve', harness.message);
        await harness.reads(harness.message, text);
        expect((await harness.voteHistory('A-1001'))?.[0]).toMatch(
          new RegExp(`^refused ${cara} (group|channel)_`),
        );
        await harness.olga.waitForDirectMessage();
        expect(harness.calls()).toBe(0);
        mends(harness);
        await harness.cara.click('Approve', harness.message);
        await harness.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(harness, text);
      });
    },
  );

  describe.each(ofChannel(IN_APPROVALS))(
    'because the channel where it is shown %s',
    (_name, policy, breaks, mends, text) => {
      test('it is shown there as soon as that is mended, and not before', async () => {
        const harness = await startApprovals(policy);
        breaks(harness);
        await harness.cancelOrder('A-1001');
        const card = await harness.card('A-1001');
        await harness.reads(card, text);
        await harness.olga.waitForDirectMessage();
        expect(harness.slack.messages('#approvals')).toEqual([]);
        mends(harness);
        const approvalMessage = await harness.votedOn('A-1001');
        await harness.reads(card, /Waiting for the approvers in #approvals/);
        harness.cara.react(YES, approvalMessage);
        await harness.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(harness, text);
      });
    },
  );

  test('each trouble is told: another one is no repetition', async () => {
    const harness = await startApprovals(BY_MEMBERS);
    harness.slack.admin.archive(approvals);
    await harness.cancelOrder('A-1001');
    const card = await harness.votedOn('A-1001');
    await harness.olga.waitForDirectMessage(({ text }) => text.includes('is archived'));
    harness.slack.admin.unarchive(approvals);
    harness.slack.admin.share(approvals, SEED.otherTeam);
    await harness.cara.click('Approve', card);
    await harness.olga.waitForDirectMessage(({ text }) => text.includes('is shared'));
    await harness.reads(card, /is shared with another company/);
    expect(harness.olga.directMessages()).toHaveLength(2);
  });

  test('the same trouble is told once, though it comes back', async () => {
    const harness = await startAwaitingApproval({ quorum: 2 });
    const setGone = (deleted: boolean) => {
      harness.slack.admin.setUserGroup(approvers, { deleted });
      return harness.restart();
    };
    await setGone(true);
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, 'is gone or can');
    await harness.olga.waitForDirectMessage();
    await setGone(false);
    await harness.cara.click('Approve', harness.message);
    await harness.reads(harness.message, '1 of 2: @Cara Conti');
    await setGone(true);
    await harness.dev.click('Approve', harness.message);
    await harness.reads(harness.message, 'is gone or can');
    await setGone(false);
    await harness.dev.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    await olgaIsToldOnce(harness, /is gone or cannot be read/);
  });

  test('nothing is asked where Slack cannot be asked who they are, and the agent reads a reference', async () => {
    const harness = await startApprovals();
    const fault = { type: 'status' as const, status: 500 };
    const away = harness.slack.faults.order({ on: 'usergroups.users.list', times: 99, fault });
    const { outcome, modal } = await harness.cancelOrder('A-1001');
    away.cancel();
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(/nothing more was done.*reference: [A-Z0-9]{8}/);
    expect(harness.slack.messages('#support')).toEqual([]);
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reads(await harness.card('A-1001'), /Waiting for/);
  });
});
