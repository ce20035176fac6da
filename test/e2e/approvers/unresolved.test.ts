import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SETTINGS_ID } from '../../../src/outbox/record-store.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import {
  type Approvals,
  BY_MEMBERS,
  IN_APPROVALS,
  startApprovals,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';

const { cara } = SEED.users;
const { approvals } = SEED.channels;
const { approvers } = SEED.groups;
const bot = (harness: Approvals) => harness.slack.installation().bot_user_id;

type Break = [string, Partial<Policy>, (harness: Approvals) => void, (harness: Approvals) => void, RegExp];

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

/** The admin who set the policy has read it once, and nobody else. (Of a group that is gone they read a notice, too.) */
async function olgaIsToldOnce(harness: Approvals, text: RegExp) {
  await harness.olga.waitForDirectMessage();
  const notices = harness.olga
    .directMessages()
    .map((message) => harness.slack.renderThread(message.channel, message.ts))
    .filter((notice) => !notice.includes('*Cancel an order*: the user group of its approvers'));
  expect(notices).toEqual([expect.stringMatching(text)]);
  expect(notices[0]).toContain('“Cancel order A-1001”, requested by @Ana Alvarez in #support');
  expect(harness.slack.person('oscar').directMessages()).toEqual([]);
}

describe('while the approvers cannot be resolved', () => {
  const [ARCHIVED, SHARED, PUBLIC, LOST] = ofChannel(BY_MEMBERS) as [Break, Break, Break, Break];

  test.each([GROUP_GONE, ARCHIVED, SHARED, PUBLIC, LOST])(
    'because the group or channel of approvers %s, nothing is sent, the card and an admin say why; once it is fixed it goes on',
    async (_name, policy, breaks, mends, text) => {
      const harness = await startApprovals(policy);
      breaks(harness);
      await harness.cancelOrder('A-1001');
      const card = await harness.votedOn('A-1001');
      await harness.reads(card, text);
      await harness.reads(card, 'An admin is notified, and nothing is sent until that is fixed.');
      await harness.cara.click('Approve', card);
      expect((await harness.cara.waitForEphemeral()).text).toMatch(
        /: Your vote was not counted\. .*Vote again once that is fixed\.$/,
      );
      await harness.olga.waitForDirectMessage();
      expect(harness.calls()).toBe(0);
      mends(harness);
      await harness.cara.click('Approve', card);
      await harness.reply('A-1001', /is cancelled/);
      await olgaIsToldOnce(harness, text);
    },
  );

  test('a vote by emoji reads how to repeat it, as the emoji stands already', async () => {
    const [, policy, breaks, mends] = GROUP_GONE;
    const harness = await startAwaitingApproval(policy);
    breaks(harness);
    await harness.restart();
    harness.cara.react(YES, harness.message);
    expect((await harness.cara.waitForEphemeral()).text).toMatch(
      /not counted\. .*Remove your reaction, and react again once that is fixed\.$/,
    );
    mends(harness);
    harness.cara.unreact(YES, harness.message);
    harness.cara.react(YES, harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test.each([GROUP_GONE, SHARED, LOST])(
    'that the group or channel of approvers %s is found out by the first vote, if it happens after the request was made, and Slack does not report it',
    async (_name, policy, breaks, mends, text) => {
      const harness = await startAwaitingApproval(policy);
      harness.slack.events.hold('subteam_updated', 'channel_shared', 'group_archive', 'group_left');
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
    },
  );

  // Slack itself refuses a post in a channel that is archived.
  test('because the channel where it is shown is shared, it is shown there as soon as that is fixed, and not before', async () => {
    const [, policy, breaks, mends, text] = ofChannel(IN_APPROVALS)[1] as Break;
    const harness = await startApprovals(policy);
    breaks(harness);
    await harness.cancelOrder('A-1001');
    const card = await harness.card('A-1001');
    await harness.reads(card, text);
    await harness.olga.waitForDirectMessage();
    expect(harness.slack.messages('#approvals')).toEqual([]);
    mends(harness);
    // Waited for here, since `votedOn` reads the storage again and again.
    await harness.slack.waitForMessage({ channel: '#approvals' });
    const approvalMessage = await harness.votedOn('A-1001');
    await harness.reads(card, /Waiting for the approvers in #approvals/);
    harness.cara.react(YES, approvalMessage);
    await harness.reply('A-1001', /is cancelled/);
    await olgaIsToldOnce(harness, text);
  });

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

  test('no request is created where Slack cannot be asked who they are, and the agent reads a reference', async () => {
    const harness = await startApprovals();
    const fault = { type: 'status' as const, status: 500 };
    const away = harness.slack.faults.schedule({ on: 'usergroups.users.list', times: 99, fault });
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

test('while the settings cannot be read nobody makes a request: whether it needs approval is unknown', async () => {
  const harness = await startApprovals();
  await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
  await harness.ana.waitForModal();
  const { storage } = await harness.terminal();
  const found = await storage.settings.get({ workspace: SEED.team, id: SETTINGS_ID });
  if (!found) throw new Error('no policy is set');
  const write = async (settings: object, expected: number) => {
    const record = { ...found.record, settings } as SettingsRecord;
    const entry = { record, subjects: [], at: 0, slot: undefined, dueAt: undefined };
    const written = await storage.settings.update(entry, expected);
    if (written.type !== 'updated') throw new Error(written.type);
    return written.version;
  };
  const { version, settings } = found.record;
  const unreadable = await write({ policies: 'unreadable' }, version);
  const { outcome, modal } = await harness.ana.submit();
  expect(outcome).toBe('pushed');
  expect(JSON.stringify(modal?.view)).toMatch(/Something went wrong in Countermand.*reference: [A-Z0-9]{8}/);
  expect(await storage.requests.list(SEED.team, { limit: 10 })).toEqual([]);
  await write(settings, unreadable);
  await harness.ana.closeModal();
  expect((await harness.ana.submit()).outcome).toBe('closed');
  expect(await harness.record('A-1001')).toMatchObject({ state: 'awaiting_approval' });
  expect(harness.calls()).toBe(0);
});
