import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import {
  type Approvals,
  askedForApproval,
  BY_MEMBERS,
  IN_APPROVALS,
  read,
  startApprovals,
} from '../../support/e2e/approvals.ts';

const YES = 'white_check_mark';
const { ana, ben, cara, dev, gina, sid, gus } = SEED.users;
const { approvals, support } = SEED.channels;
const { approvers } = SEED.groups;

type Asked = Awaited<ReturnType<typeof askedForApproval>>;

/** Somebody who is named as an approver, and still can't be one. */
const NEVER: readonly [string, string, string, (desk: Asked) => void, RegExp][] = [
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
    const desk = await askedForApproval({ approvers: { type: 'people', people: [id, cara] } });
    prepare(desk);
    return { ...desk, voter: desk.slack.person(id) };
  }

  /** Nobody else has heard of it, it stands in the history, and who may vote still can. */
  async function isRefused(desk: Asked) {
    const thread = desk.slack.thread('#support', desk.message.ts);
    expect(
      thread.filter(({ text: said }) => !said.includes('is now shared with another company')),
    ).toHaveLength(1);
    expect(await desk.voteHistory('A-1001')).toEqual([`refused ${id} ${problem}`]);
    expect(read(desk, desk.message)).toContain('(0 of 1).');
    expect(desk.calls()).toBe(0);
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  }

  test('does not count by reaction, and is told so privately', async () => {
    const desk = await named();
    desk.voter.react(YES, desk.message);
    expect((await desk.voter.waitForEphemeral()).text).toMatch(text);
    await isRefused(desk);
  });

  test('does not count by button, and is told so privately', async () => {
    const desk = await named();
    await desk.voter.click('Approve', desk.message);
    expect((await desk.voter.waitForEphemeral()).text).toMatch(text);
    await isRefused(desk);
  });

  test('cannot deny either', async () => {
    const desk = await named();
    await desk.voter.click('Decline', desk.message);
    const { view } = await desk.voter.waitForModal((modal) => text.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    await isRefused(desk);
  });
});

describe('who is not an approver', () => {
  test.each<[string, Partial<Policy>]>([
    ['in the group', { approvers: { type: 'group', group: approvers } }],
    ['among those named', { approvers: { type: 'people', people: [cara, dev] } }],
    ['in the approvals channel', BY_MEMBERS],
  ])('(not %s) does not count, and reads who is', async (_name, policy) => {
    const desk = await askedForApproval(policy);
    desk.ben.react(YES, desk.message);
    expect((await desk.ben.waitForEphemeral()).text).toMatch(
      /^Your vote does not count: only .+ can decide this\.$/,
    );
    expect(await desk.voteHistory('A-1001')).toEqual([`refused ${ben} not_approver`]);
    expect(desk.calls()).toBe(0);
  });

  test('cannot keep the others from voting by trying until Slack does not answer any more', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    const fault = { type: 'rate_limit' as const, retryAfterSeconds: 60 };
    desk.slack.faults.order({ on: 'usergroups.users.list', fault, times: 99 });
    await desk.ben.click('Approve', desk.message);
    expect((await desk.ben.waitForEphemeral()).text).toMatch(/^Your vote does not count/);
    desk.cara.react(YES, desk.message);
    await desk.dev.click('Approve', desk.message);
    await desk.reads(
      desk.message,
      'Checking whether the approvers may still approve (2 of 2: @Cara Conti and @Dev Das)',
    );
  });

  test('can take nobody else’s vote back, nor leave a trace by trying', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    desk.cara.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2');
    desk.ben.react(YES, desk.message);
    await desk.ben.waitForEphemeral();
    desk.ben.unreact(YES, desk.message);
    await desk.slack.events.list().at(-1)?.settled;
    expect(await desk.voteHistory('A-1001')).toEqual([`voted ${cara}`, `refused ${ben} not_approver`]);
    expect(read(desk, desk.message)).toContain('1 of 2: @Cara Conti');
  });
});

describe('who cannot vote any more when their vote arrives', () => {
  test.each<[string, (desk: Asked) => void, string]>([
    ['deactivated', ({ slack }) => slack.admin.deactivate(cara), 'deactivated'],
    ['made a guest', ({ slack }) => slack.admin.setRole(cara, 'guest'), 'guest'],
    [
      'taken out of the group',
      ({ slack }) => slack.admin.setUserGroup(approvers, { users: [dev] }),
      'not_approver',
    ],
  ])('(%s) does not count', async (_name, change, problem) => {
    const desk = await askedForApproval();
    const held = desk.slack.events.hold('reaction_added');
    desk.cara.react(YES, desk.message);
    change(desk);
    // What Slack said of the group counts for a minute; not beyond a restart.
    await desk.restart();
    await held.deliver(0).settled;
    expect(await desk.voteHistory('A-1001')).toEqual([`refused ${cara} ${problem}`]);
    expect(desk.calls()).toBe(0);
  });

  test('a bot does not count', async () => {
    const desk = await startApprovals();
    const bot = desk.slack.admin.addUser({ team_id: SEED.team, name: 'autoapprove', is_bot: true });
    desk.slack.admin.invite(support, bot.id);
    desk.slack.admin.setUserGroup(approvers, { users: [bot.id, cara] });
    await desk.ask('A-1001');
    desk.slack.person(bot.id).react(YES, await desk.votedOn('A-1001'));
    await expect.poll(() => desk.voteHistory('A-1001')).toEqual([`refused ${bot.id} bot`]);
    expect(desk.calls()).toBe(0);
  });
});

describe('who becomes an approver', () => {
  test('by the user group may vote at once', async () => {
    const desk = await askedForApproval();
    desk.ben.react(YES, desk.message);
    await desk.ben.waitForEphemeral();
    desk.slack.admin.setUserGroup(approvers, { users: [ben] });
    await desk.ben.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('by the approvals channel may vote at once; and who leaves it no more', async () => {
    const desk = await askedForApproval({ ...BY_MEMBERS, ...IN_APPROVALS, quorum: 2 });
    desk.slack.admin.kick(approvals, dev);
    desk.slack.admin.invite(approvals, ben);
    desk.ben.react(YES, desk.message);
    await desk.reads(desk.message, '1 of 2: @Ben Brandt');
    desk.slack.admin.invite(approvals, dev);
    desk.dev.react(YES, desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('and leaves the approvals channel, does not count', async () => {
    const desk = await askedForApproval({ ...BY_MEMBERS, ...IN_APPROVALS });
    const held = desk.slack.events.hold('reaction_added');
    desk.dev.react(YES, desk.message);
    desk.slack.admin.kick(approvals, dev);
    await held.deliver(0).settled;
    expect(await desk.voteHistory('A-1001')).toEqual([`refused ${dev} not_approver`]);
    expect(desk.calls()).toBe(0);
  });
});

type Break = [string, Partial<Policy>, (desk: Approvals) => void, (desk: Approvals) => void, RegExp];

const bot = (desk: Approvals) => desk.slack.installation().bot_user_id;

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
    (desk) => setKind(desk, 'public'),
    (desk) => setKind(desk, 'private'),
    /the approvals channel #approvals is not private/,
  ],
  [
    'has lost the bot',
    policy,
    (desk) => desk.slack.admin.kick(approvals, bot(desk)),
    (desk) => desk.slack.admin.invite(approvals, bot(desk)),
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
async function olgaIsToldOnce(desk: Approvals, text: RegExp) {
  await desk.olga.waitForDirectMessage();
  const told = desk.olga
    .directMessages()
    .map((message) => desk.slack.renderThread(message.channel, message.ts));
  expect(told).toEqual([expect.stringMatching(text)]);
  expect(told[0]).toContain('“Cancel order A-1001”, requested by @Ana Alvarez in #support');
  expect(desk.slack.person('oscar').directMessages()).toEqual([]);
}

describe('while the approvers cannot be resolved', () => {
  describe.each([GROUP_GONE, ...ofChannel(BY_MEMBERS)])(
    'because the group or channel of approvers %s',
    (_name, policy, breaks, mends, text) => {
      test('nothing is sent, the card and an admin say why; once it is mended it goes on', async () => {
        const desk = await startApprovals(policy);
        breaks(desk);
        await desk.ask('A-1001');
        const card = await desk.votedOn('A-1001');
        await desk.reads(card, text);
        await desk.reads(card, 'The request is not sent until that is fixed. An admin is notified.');
        await desk.cara.click('Approve', card);
        expect((await desk.cara.waitForEphemeral()).text).toMatch(
          /^Your vote was not counted\. .*Vote again once that is fixed\.$/,
        );
        await desk.olga.waitForDirectMessage();
        expect(desk.calls()).toBe(0);
        mends(desk);
        await desk.cara.click('Approve', card);
        await desk.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(desk, text);
      });

      test('it is found out by the first vote, if it happens after the request was made', async () => {
        const desk = await askedForApproval(policy);
        breaks(desk);
        await desk.restart();
        await desk.cara.click('Approve', desk.message);
        await desk.reads(desk.message, text);
        expect((await desk.voteHistory('A-1001'))?.[0]).toMatch(
          new RegExp(`^refused ${cara} (group|channel)_`),
        );
        await desk.olga.waitForDirectMessage();
        expect(desk.calls()).toBe(0);
        mends(desk);
        await desk.cara.click('Approve', desk.message);
        await desk.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(desk, text);
      });
    },
  );

  describe.each(ofChannel(IN_APPROVALS))(
    'because the channel where it is shown %s',
    (_name, policy, breaks, mends, text) => {
      test('it is shown there as soon as that is mended, and not before', async () => {
        const desk = await startApprovals(policy);
        breaks(desk);
        await desk.ask('A-1001');
        const card = await desk.card('A-1001');
        await desk.reads(card, text);
        await desk.olga.waitForDirectMessage();
        expect(desk.slack.messages('#approvals')).toEqual([]);
        mends(desk);
        const approvalMessage = await desk.votedOn('A-1001');
        await desk.reads(card, /Waiting for the approvers in #approvals/);
        desk.cara.react(YES, approvalMessage);
        await desk.reply('A-1001', /is cancelled/);
        await olgaIsToldOnce(desk, text);
      });
    },
  );

  test('each trouble is told: another one is no repetition', async () => {
    const desk = await startApprovals(BY_MEMBERS);
    desk.slack.admin.archive(approvals);
    await desk.ask('A-1001');
    const card = await desk.votedOn('A-1001');
    await desk.olga.waitForDirectMessage(({ text }) => text.includes('is archived'));
    desk.slack.admin.unarchive(approvals);
    desk.slack.admin.share(approvals, SEED.otherTeam);
    await desk.cara.click('Approve', card);
    await desk.olga.waitForDirectMessage(({ text }) => text.includes('is shared'));
    await desk.reads(card, /is shared with another company/);
    expect(desk.olga.directMessages()).toHaveLength(2);
  });

  test('the same trouble is told once, though it comes back', async () => {
    const desk = await askedForApproval({ quorum: 2 });
    const setGone = (deleted: boolean) => {
      desk.slack.admin.setUserGroup(approvers, { deleted });
      return desk.restart();
    };
    await setGone(true);
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, 'is gone or can');
    await desk.olga.waitForDirectMessage();
    await setGone(false);
    await desk.cara.click('Approve', desk.message);
    await desk.reads(desk.message, '1 of 2: @Cara Conti');
    await setGone(true);
    await desk.dev.click('Approve', desk.message);
    await desk.reads(desk.message, 'is gone or can');
    await setGone(false);
    await desk.dev.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    await olgaIsToldOnce(desk, /is gone or cannot be read/);
  });

  test('nothing is asked where Slack cannot be asked who they are, and the agent reads a reference', async () => {
    const desk = await startApprovals();
    const fault = { type: 'status' as const, status: 500 };
    const away = desk.slack.faults.order({ on: 'usergroups.users.list', times: 99, fault });
    const { outcome, modal } = await desk.ask('A-1001');
    away.cancel();
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(/nothing more was done.*reference: [A-Z0-9]{8}/);
    expect(desk.slack.messages('#support')).toEqual([]);
    await desk.ana.closeModal();
    expect((await desk.ana.submit()).outcome).toBe('closed');
    await desk.reads(await desk.card('A-1001'), /Waiting for/);
  });
});
