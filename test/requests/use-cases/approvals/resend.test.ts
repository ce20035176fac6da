import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../../src/outbox/delivery.ts';
import { withoutCard } from '../../../../src/requests/engine/apply-posting.ts';
import { type Approval, applyVote, newApproval, type Vote } from '../../../../src/requests/model/approval.ts';
import { FORGOTTEN } from '../../../../src/requests/model/audit-entry.ts';
import { pendingEffects } from '../../../../src/requests/model/pending-effects.ts';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import { currentStep, type NoteContent, type RequestRecord } from '../../../../src/requests/model/record.ts';
import {
  approvalMessageOf,
  cardOf,
  newApprovalMessage,
  notesOf,
  withApprovalMessage,
} from '../../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../../src/requests/model/record-notes.ts';
import { type ManualAction, STATE_NAMES } from '../../../../src/requests/model/states.ts';
import { TIMINGS } from '../../../../src/requests/model/timings.ts';
import { resent } from '../../../../src/requests/use-cases/approvals/approval-needed.ts';
import { isResending } from '../../../../src/requests/use-cases/possible-actions.ts';
import { POLICY, SHOWN_APART } from '../../../support/requests/approval-policy.ts';
import { answered, queued, T0, withCard } from '../../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../../support/requests/workspace.ts';

const HOUR = 3_600_000;

const failed = () => answered({ type: 'refused', httpStatus: 403, code: 'FORBIDDEN', details: [] });

/** Refused by the service after Ana and Ben have approved it. */
function approvedAndFailed(policy = POLICY, source = 'button'): RequestRecord {
  const by = ['UANA', 'UBEN'];
  const votes = by.reduce<Vote[]>(
    (all, voter) => applyVote(all, { by: voter, source, choice: 'yes', added: true, moment: T0 * 1_000 }),
    [],
  );
  const approval: Approval = {
    ...newApproval({ policy, earlier: [] }, T0),
    votes,
    decision: { choice: 'yes', by, at: T0, source },
  };
  return { ...failed(), approval };
}

function setUp(inForce: Policy | undefined, company: Partial<Company> = {}) {
  const settings = { policies: { cancel_order: inForce } };
  const { deps } = createWorkspace({ company, settings });
  return async (
    record: RequestRecord,
    { now = T0, action = 'retry', by = 'U1', moment }: Partial<Parameters<typeof resent>[2]> = {},
  ) => {
    const again = await resent(deps, record, { by, action, now, moment, settings });
    if (again === 'too_few_approvers') throw new Error(again);
    return again;
  };
}

describe('a request that is sent again', () => {
  test('is queued, under the name of whoever has decided so, where no approval is needed', async () => {
    const again = await setUp(undefined)(failed(), { by: 'UADMIN' });
    expect(again).toMatchObject({ state: 'queued' });
    expect(again && currentStep(again).cause).toEqual({ type: 'person', by: 'UADMIN', action: 'retry' });
  });

  test('has the votes of its approval confirmed again, and asks nobody, where they meet the policy in force', async () => {
    const again = await setUp(POLICY)(approvedAndFailed(), { now: T0 + HOUR });
    expect(again).toMatchObject({
      state: 'awaiting_approval',
      approval: { round: 2, votes: [{ by: 'UANA' }, { by: 'UBEN' }], confirmation: { tries: 0 } },
    });
    expect(again && notesOf(again)).toEqual([]);
  });

  test('asks anew once its votes are older than they were waited for, however often it was sent again since', async () => {
    const again = await setUp(POLICY)(approvedAndFailed(), { now: T0 + HOUR / 2 });
    const { decision } = approvedAndFailed().approval ?? {};
    const approval = { ...again?.approval, confirmation: undefined, decision } as Approval;
    const failedAgain = { ...failed(), approval };
    const soon = await setUp(POLICY)(failedAgain, { now: T0 + HOUR });
    expect(soon?.approval).toMatchObject({ round: 3, confirmation: { tries: 0 } });
    const late = await setUp(POLICY)(failedAgain, { now: T0 + HOUR + 1 });
    expect(late?.approval).not.toHaveProperty('confirmation');
    expect(late && notesOf(late)).toMatchObject([{ type: 'approval_requested_again' }]);
  });

  test.each<[string, Policy]>([
    ['more must approve', { ...POLICY, quorum: 3 }],
    ['another emoji approves', { ...POLICY, emoji: { yes: 'ship', no: 'x' } }],
    ['it is shown elsewhere', SHOWN_APART],
  ])('asks anew where %s by now', async (_name, policy) => {
    const again = await setUp(policy)(approvedAndFailed(POLICY, 'white_check_mark'), { now: T0 + HOUR });
    expect(again?.approval).not.toHaveProperty('confirmation');
    expect(again?.approval?.countedFrom).toBe(T0 * 1_000);
  });

  test('asks anew where somebody whose vote would count was forgotten since', async () => {
    const { approval, ...failedSince } = approvedAndFailed(POLICY, 'white_check_mark');
    const votes = approval?.votes.map((vote) => (vote.by === 'UANA' ? { ...vote, by: FORGOTTEN } : vote));
    const again = await setUp(POLICY)({ ...failedSince, approval: { ...approval, votes } as Approval });
    expect(again?.approval).not.toHaveProperty('confirmation');
    expect(again?.approval?.countedFrom).toBe(T0 * 1_000);
    expect(again && notesOf(again)).toMatchObject([{ type: 'approval_requested_again' }]);
  });

  test('counts votes from the click that wanted it, by the clock of Slack, however wrong ours is', async () => {
    const moment = (T0 - 4 * 60_000) * 1_000;
    const later = { now: T0 + 2 * HOUR, moment: moment + 2 * HOUR * 1_000 };
    const again = await setUp(POLICY)(approvedAndFailed(), later);
    expect(again?.approval?.countedFrom).toBe(later.moment);
  });

  test('is refused before anybody is asked, where too few are left besides who made it and who wants it', async () => {
    const people: Policy = { ...POLICY, quorum: 1, approvers: { type: 'people', people: ['UANA', 'U1'] } };
    await expect(setUp(people)(failed(), { by: 'UANA' })).rejects.toThrow('too_few_approvers');
    expect(await setUp(people)(failed(), { by: 'UBEN' })).toMatchObject({ state: 'awaiting_approval' });
  });

  test.each<[string, Policy | undefined, () => RequestRecord, number, Policy]>([
    ['was not needed before', POLICY, failed, T0, POLICY],
    ['is older than it was waited for', POLICY, approvedAndFailed, T0 + HOUR + 1, POLICY],
    [
      'is old, under the policy in force',
      { ...POLICY, quorum: 1 },
      approvedAndFailed,
      T0 + 2 * HOUR,
      { ...POLICY, quorum: 1 },
    ],
    [
      'is old, under its own policy where there is none any more',
      undefined,
      approvedAndFailed,
      T0 + 2 * HOUR,
      POLICY,
    ],
  ])('awaits its approval where that %s', async (_name, inForce, record, now, policy) => {
    const again = await setUp(inForce)(record(), { now });
    expect(again).toMatchObject({ state: 'awaiting_approval', approval: { policy, since: now } });
    expect(again?.approval).not.toHaveProperty('decision');
    expect(again && currentStep(again).cause).toEqual({ type: 'approval_requested_again', by: 'U1' });
  });

  test('awaits it in another round, in which no earlier vote counts, and tells the approvers who have seen it', async () => {
    const again = await setUp(POLICY)(approvedAndFailed(), { now: T0 + 2 * HOUR });
    expect(again).toMatchObject({
      approval: { round: 2, votes: [{ by: 'UANA' }, { by: 'UBEN' }] },
    });
    expect(again && notesOf(again)).toMatchObject([{ type: 'approval_requested_again' }]);
    expect(again?.approval?.countedFrom).toBe(T0 * 1_000);
  });

  test('tells nobody of what they have not seen yet: their message is posted', async () => {
    const again = await setUp(SHOWN_APART)(failed());
    expect(again && approvalMessageOf(again)?.delivery.status).toBe('owed');
    expect(again && notesOf(again)).toEqual([]);
  });

  test('asks on a new card where the former one was deleted: nobody sees the old votes', async () => {
    const again = await setUp(POLICY)(withoutCard(approvedAndFailed(), 'message_not_found', T0));
    expect(again && cardOf(again)).toMatchObject({ delivery: { status: 'owed' } });
    expect(again && cardOf(again)).not.toHaveProperty('location');
    expect(again?.approval).not.toHaveProperty('confirmation');
    expect(again?.messages.at(-1)).toMatchObject({ type: 'reply', to: 'thread' });
  });

  test('awaits it though nobody can give it now, and the admin who set the policy hears of that', async () => {
    const again = await setUp(POLICY, { groups: {} })(failed());
    expect(again).toMatchObject({ approval: { problem: 'group_unreadable' } });
    expect(again?.messages).toContainEqual(expect.objectContaining({ type: 'alarm' }));
  });

  test('is not sent while Slack or the policy cannot be read: a fault', async () => {
    await expect(setUp(POLICY, { isAway: true })(failed())).rejects.toThrow('Slack is away');
  });
});

test('a note of the former round that was not posted is not posted in the next one', async () => {
  const late: NoteContent[] = [
    { type: 'reminder' },
    { type: 'approval_requested_again' },
    { type: 'alarm', problem: 'group_unreadable' },
    { type: 'admin_unreachable' },
    { type: 'misplaced_vote', voter: 'UANA' },
  ];
  const shown = withCard(approvedAndFailed(), { delivery: { status: 'posted', channel: 'C1', ts: '1.0' } });
  const again = await Promise.all(
    late.map((note) => setUp(POLICY)(withNote(shown, note, T0 + HOUR / 2), { now: T0 + 2 * HOUR })),
  );
  const pending = (record: RequestRecord | undefined) =>
    record && pendingEffects(record, TIMINGS).map(({ effect }) => 'messageKey' in effect && effect);
  for (const record of again) {
    const owed = record && notesOf(record).map(({ key }) => key);
    expect(owed).toMatchObject([expect.any(String), 'approval_requested_again:2']);
    expect(pending(record)).toContainEqual({ type: 'post', messageKey: owed?.[1] });
    expect(pending(record)).not.toContainEqual({ type: 'post', messageKey: owed?.[0] });
  }
});

describe('a request that is approved again, while copies of its approval message may appear', () => {
  const TIDY = { since: T0, until: T0, tries: 0, notBefore: T0 };
  const withCopies = (delivery: Delivery): RequestRecord => {
    const record = approvedAndFailed(SHOWN_APART);
    return withApprovalMessage(record, { ...newApprovalMessage(1, T0), delivery });
  };
  const POSTED: Delivery = { status: 'posted', channel: 'C2', ts: '1.0', tidies: [TIDY] };

  test.each<[string, Delivery, Delivery]>([
    ['keeps the message that stands', POSTED, POSTED],
    [
      'searches for a message in doubt',
      { status: 'doubtful', ...TIDY },
      expect.objectContaining({ status: 'doubtful' }),
    ],
    [
      'posts it again where it was given up, and still removes the copies',
      { status: 'given_up', code: 'not_needed', tidies: [TIDY] },
      { status: 'owed', tries: 0, notBefore: T0 + 2 * HOUR, tidies: [TIDY] },
    ],
  ])('%s, by its former round', async (_name, before, after) => {
    const again = await setUp(SHOWN_APART)(withCopies(before), { now: T0 + 2 * HOUR });
    expect(again?.approval?.round).toBe(2);
    expect(again && approvalMessageOf(again)).toMatchObject({ key: 'approval:1', delivery: after });
  });

  test('stays in its channel, whatever place the policy names by now', async () => {
    const again = await setUp(POLICY)(withCopies(POSTED), { now: T0 + 2 * HOUR });
    expect(again?.approval?.policy).toEqual(SHOWN_APART);
    expect(again && approvalMessageOf(again)?.delivery).toEqual(POSTED);
  });

  test('stays in its channel, also if the members of that channel approve now, and would see the card alone', async () => {
    const policy: Policy = { ...SHOWN_APART, approvers: { type: 'channel' }, shownIn: 'where_requested' };
    const again = await setUp(policy)(withCopies(POSTED), { now: T0 + 2 * HOUR });
    expect(again?.approval?.policy).toEqual({ ...policy, shownIn: 'approvals_channel' });
    expect(again && approvalMessageOf(again)?.delivery).toEqual(POSTED);
  });

  test('goes to another channel where its members approve', async () => {
    const policy: Policy = { ...SHOWN_APART, approvers: { type: 'channel' }, channel: 'C3' };
    const again = await setUp(policy)(withCopies(POSTED), { now: T0 + 2 * HOUR });
    expect(again?.approval?.policy).toEqual(policy);
    expect(again && approvalMessageOf(again)).toMatchObject({
      key: 'approval:2',
      delivery: { status: 'owed' },
    });
  });
});

test('what cannot be sent again as it stands is left alone, under a policy as without', async () => {
  const resendable = ['failed', 'unknown'];
  for (const state of STATE_NAMES.filter((each) => !resendable.includes(each))) {
    const record = { ...queued(), state };
    expect([await setUp(undefined)(record), await setUp(POLICY)(record)]).toEqual([undefined, undefined]);
  }
});

test('Retry and "not received" send a request again, and nothing else does', () => {
  const acts: ManualAction[] = ['retry', 'not_received', 'release', 'withdraw', 'approved'];
  expect(acts.filter(isResending)).toEqual(['retry', 'not_received']);
});
