/** The approvals that reach the quorum decide only once they are confirmed: what is read for that, and what follows from it. */
import { describe, expect, test, vi } from 'vitest';
import { applyConfirmation, confirmVotes } from '../../../src/requests/engine/confirm-votes.ts';
import { type Approval, BUTTON, type Vote } from '../../../src/requests/model/approval.ts';
import type { VoterProblem } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import type { Messenger, Reactions, VoterRights } from '../../../src/requests/ports/ports.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { HELD, T0 } from '../../support/requests/records.ts';

const YES = POLICY.emoji.yes;
const LATER = { type: 'later', code: 'ratelimited', retryAfterMs: 2_000 } as const;

const voteOf = (by: string, source: string = BUTTON, addedAt = 10): Vote => ({
  by,
  source,
  choice: 'yes',
  addedAt,
  removedAt: 0,
});

/** A request whose votes reach the quorum of its policy, and are being confirmed. */
function toConfirm(
  votes: Vote[],
  quorum: number,
  more: Partial<Approval> = {},
): RequestRecord & { approval: Approval } {
  const record = waitingRecord({ ...POLICY, quorum });
  const confirmation = { since: T0, tries: 0, notBefore: T0 };
  return { ...record, approval: { ...(record.approval as Approval), votes, confirmation, ...more } };
}

const standing = (...users: string[]): Reactions => ({ type: 'read', standing: [{ emoji: YES, users }] });
const without = (...lost: [string, VoterProblem][]): VoterRights => ({
  type: 'read',
  problems: new Map(lost),
});

/** Confirms the votes by what Slack says. @returns the result, and what Slack was asked for */
async function confirm(
  record: RequestRecord,
  {
    reactions = standing(),
    rights = without(),
    others = { type: 'read' },
  }: {
    reactions?: Reactions;
    rights?: VoterRights;
    others?: Awaited<ReturnType<Messenger['readOtherApprovers']>>;
  } = {},
) {
  const asked = {
    readReactions: vi.fn(async () => reactions),
    readVoterRights: vi.fn(async (_record: RequestRecord, _voters: readonly string[]) => rights),
    readOtherApprovers: vi.fn(async () => others),
  };
  const result = await confirmVotes(asked as unknown as Messenger, record, HELD);
  const voters = asked.readVoterRights.mock.calls.map(([, asked]) => asked);
  const times = {
    reactions: asked.readReactions.mock.calls.length,
    others: asked.readOtherApprovers.mock.calls.length,
  };
  return { result, voters, times };
}

describe('what is read', () => {
  test('are the rights of those who voted by button alone, if they are enough', async () => {
    const [ana, ben] = [voteOf('UANA'), voteOf('UBEN', YES)];
    const { result, voters, times } = await confirm(toConfirm([ana, ben], 1));
    // Nobody knows whether the reaction still stands.
    expect(voters).toEqual([['UANA']]);
    expect(times).toEqual({ reactions: 0, others: 0 });
    expect(result).toMatchObject({ type: 'read', confirmed: [ana], gone: [] });
  });

  test('are the reactions, and then the rights of those whose votes stand', async () => {
    const [ana, ben, cara] = [voteOf('UANA'), voteOf('UBEN', YES, 11), voteOf('UCARA', YES, 12)];
    const reactions = standing('UBEN');
    const { result, voters } = await confirm(toConfirm([ana, ben, cara], 2), { reactions });
    expect(voters).toEqual([['UANA', 'UBEN']]);
    expect(result).toMatchObject({ type: 'read', confirmed: [ana, ben], gone: [cara] });
  });

  test('are the reactions alone, if too few of them stand', async () => {
    const ben = voteOf('UBEN', YES);
    const { result, voters, times } = await confirm(toConfirm([voteOf('UANA'), ben], 2));
    expect(result).toMatchObject({ type: 'read', confirmed: [], gone: [ben] });
    expect([voters, times.others]).toEqual([[], 0]);
  });

  test('is whether enough approvers are left, if a voter has lost the right to vote', async () => {
    const rights = without(['UANA', 'not_approver']);
    const others = { type: 'read', problem: 'too_few' } as const;
    const [ana, ben] = [voteOf('UANA'), voteOf('UBEN')];
    const { result } = await confirm(toConfirm([ana, ben], 2), { rights, others });
    expect(result).toMatchObject({ type: 'read', confirmed: [ben], othersProblem: 'too_few' });
  });

  test('is that also if votes of a former round are too few: the approvers will be asked anew', async () => {
    const record = toConfirm([voteOf('UANA', YES)], 1, { carried: 20 });
    expect((await confirm(record)).times.others).toBe(1);
    expect((await confirm(record, { reactions: standing('UANA') })).times.others).toBe(0);
  });
});

describe('nothing is decided while Slack can’t be read:', () => {
  const record = toConfirm([voteOf('UANA', YES)], 1);
  const reactions = standing('UANA');

  test.each([
    ['the reactions', { reactions: LATER }, 'reactions_unreadable'],
    ['the rights of the voters', { reactions, rights: LATER }, 'approvers_unreadable'],
    [
      'the other approvers',
      { reactions, rights: without(['UANA', 'guest']), others: LATER },
      'approvers_unreadable',
    ],
  ])('%s', async (_what, slack, problem) => {
    const { result } = await confirm(record, slack);
    expect(result).toMatchObject({ type: 'unreadable', problem, code: LATER.code, retryAfterMs: 2_000 });
  });

  test('a problem of all approvers, because then nobody knows who may vote', async () => {
    const rights = without(['UANA', 'group_unreadable']);
    const { result } = await confirm(record, { reactions, rights });
    expect(result).toEqual({ type: 'unreadable', problem: 'group_unreadable', code: 'group_unreadable' });
  });

  test.each(['gone', 'out_of_reach'] as const)('the message is %s', async (type) => {
    const unseen = { type, code: 'x' };
    expect((await confirm(record, { reactions: unseen })).result).toEqual(unseen);
  });

  test('the votes are tried again, ever later, and nobody is told yet', () => {
    const unreadable = { type: 'unreadable', problem: 'approvers_unreadable', code: 'x' } as const;
    const once = applyConfirmation(record, record.approval.votes, unreadable, T0 + 1_000);
    const twice = applyConfirmation(once, record.approval.votes, unreadable, T0 + 5_000);
    const confirmations = [once, twice].map(({ approval }) => approval?.confirmation);
    expect(confirmations).toMatchObject([
      { since: T0, tries: 1, problem: 'approvers_unreadable' },
      { since: T0, tries: 2, problem: 'approvers_unreadable' },
    ]);
    expect(confirmations[0]?.notBefore).toBeGreaterThan(T0 + 1_000);
    expect(twice.approval?.problem).toBeUndefined();
    expect(notesOf(twice)).toEqual([]);
  });

  test('a problem that was told is replaced by the new one', () => {
    const troubled = { ...record, approval: { ...record.approval, problem: 'channel_archived' as const } };
    const unreadable = { type: 'unreadable', problem: 'group_unreadable', code: 'x' } as const;
    const next = applyConfirmation(troubled, record.approval.votes, unreadable, T0);
    expect(next.approval?.problem).toBe('group_unreadable');
  });
});

describe('what was read', () => {
  const none = { gone: [], problems: new Map<string, VoterProblem>() };

  test('decides if the votes are those that were read', () => {
    const record = toConfirm([voteOf('UANA')], 1);
    const confirmed = record.approval.votes;
    const next = applyConfirmation(record, confirmed, { type: 'read', confirmed, ...none }, T0);
    expect(next).toMatchObject({ state: 'queued', approval: { decision: { by: ['UANA'] } } });
  });

  test('says nothing of a vote that was taken back and cast once more since', () => {
    const confirmed = [voteOf('UANA', YES, 10)];
    const record = toConfirm([voteOf('UANA', YES, 30)], 1);
    const next = applyConfirmation(record, confirmed, { type: 'read', confirmed, ...none }, T0 + 1);
    expect(next.state).toBe('awaiting_approval');
    expect(next.approval?.confirmation).toEqual({ since: T0 + 1, tries: 0, notBefore: T0 + 1 });
    const gone = { type: 'read', confirmed: [], gone: confirmed, problems: none.problems } as const;
    expect(applyConfirmation(record, confirmed, gone, T0).approval?.votes).toEqual(record.approval.votes);
  });

  test('ends a problem of reading, also if the votes are too few by now', () => {
    const ana = voteOf('UANA', YES);
    const record = toConfirm([ana], 1, { problem: 'reactions_unreadable' });
    const result = { type: 'read', confirmed: [], gone: [ana], problems: none.problems } as const;
    const next = applyConfirmation(record, [ana], result, T0);
    expect(next).toMatchObject({ state: 'awaiting_approval' });
    expect(next.approval).not.toHaveProperty('problem', 'reactions_unreadable');
    expect(next.approval).not.toHaveProperty('confirmation');
    expect(next.approval?.history.at(-1)).toMatchObject({ type: 'gone', by: 'UANA' });
  });

  test('leaves a vote void whose voter may not vote any more, and tells an admin if too few are left', () => {
    const ana = voteOf('UANA');
    const record = toConfirm([ana], 1);
    const problems = new Map([['UANA', 'deactivated' as const]]);
    const result = { type: 'read', confirmed: [], gone: [], problems, othersProblem: 'too_few' } as const;
    const next = applyConfirmation(record, [ana], result, T0);
    expect(next.approval?.history.at(-1)).toMatchObject({ type: 'void', by: 'UANA', problem: 'deactivated' });
    expect(next.approval?.problem).toBe('too_few');
    expect(notesOf(next)).toMatchObject([{ type: 'alarm', problem: 'too_few' }]);
  });
});
