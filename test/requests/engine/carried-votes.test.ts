/** The votes of a former round, which count for a request that is sent again if they alone meet the policy. */
import { expect, test } from 'vitest';
import { applyConfirmation, confirmVotes } from '../../../src/requests/engine/confirm-votes.ts';
import { type Cast, withVote } from '../../../src/requests/model/acts.ts';
import { type Approval, BUTTON, counted } from '../../../src/requests/model/approval.ts';
import type { VoterProblem } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { mayHaveFormerReactions, notesOf } from '../../../src/requests/model/record-messages.ts';
import type { Messenger } from '../../../src/requests/ports/ports.ts';
import { problemOfOthers } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { voterProblem } from '../../../src/requests/use-cases/approvals/approvers.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { HELD, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const RETRIED = T0 * 1_000;
const YES = { choice: 'yes', source: BUTTON } as const;
const votesOf = (...people: string[]) =>
  people.map((by) => ({ ...YES, by, addedAt: RETRIED - 10, removedAt: 0 }));

/** Ana and Ben had approved, and their votes are being confirmed. */
function carried(): RequestRecord & { approval: Approval } {
  const record = waitingRecord({ ...POLICY, quorum: 2 });
  const confirmation = { since: T0, tries: 0, notBefore: T0 };
  const approval = { ...(record.approval as Approval), round: 2, votes: votesOf('UANA', 'UBEN') };
  return { ...record, approval: { ...approval, carried: RETRIED, confirmation } };
}

function voted(record: RequestRecord, cast: Partial<Cast>): RequestRecord & { approval: Approval } {
  const { approval } = record;
  const given: Cast = { ...YES, by: 'UANA', added: true, moment: RETRIED + 10, ...cast };
  return withVote(record, approval as Approval, given, T0) as ReturnType<typeof voted>;
}

test('votes of a former round that are too few once one of them is taken back count no more, and the approvers are asked', () => {
  const { approval, ...record } = voted(carried(), { added: false });
  expect(approval).toMatchObject({ countedFrom: RETRIED });
  expect(approval).not.toHaveProperty('carried');
  expect(approval).not.toHaveProperty('confirmation');
  expect(notesOf(record)).toMatchObject([{ type: 'approval_requested_again' }]);
});

test('votes of a former round that are too few once a voter has left do not decide together with a new vote', () => {
  const record = voted(carried(), { by: 'UCARA' });
  const read = record.approval.votes;
  const left = new Map([['UANA', 'not_approver' as const]]);
  const confirmed = read.filter(({ by }) => by !== 'UANA');
  const open = applyConfirmation(record, read, { type: 'read', confirmed, gone: [], problems: left }, T0);
  expect(open).toMatchObject({ state: 'awaiting_approval', approval: { countedFrom: RETRIED } });
  expect(notesOf(open)).toMatchObject([{ type: 'approval_requested_again' }]);
  const again = voted(open, { by: 'UBEN', moment: RETRIED + 20 });
  expect(again.approval).toHaveProperty('confirmation');
});

test('votes of a former round count no more if the policy now names too few people, which the card says', async () => {
  const { directory } = createWorkspace().deps;
  const policy = { ...POLICY, quorum: 2, approvers: { type: 'people' as const, people: ['UANA', 'U1'] } };
  const { approval: former, ...request } = carried();
  const record = { ...request, approval: { ...former, policy } };
  const messenger: Pick<Messenger, 'readVoterRights' | 'readOtherApprovers'> = {
    readVoterRights: async (of, voters) => {
      const problems = new Map<string, VoterProblem>();
      for (const by of voters) {
        const problem = await voterProblem(directory, of, record.approval, by);
        if (problem) problems.set(by, problem);
      }
      return { type: 'read', problems };
    },
    readOtherApprovers: async (of) => ({
      type: 'read',
      problem: await problemOfOthers(directory, of, policy),
    }),
  };
  const result = await confirmVotes(messenger as Messenger, record, HELD);
  const { approval } = applyConfirmation(record, record.approval.votes, result, T0);
  expect(approval).toMatchObject({ problem: 'too_few', countedFrom: RETRIED });
  expect(approval).not.toHaveProperty('confirmation');
  expect(approval?.history).toMatchObject([{ type: 'void', by: 'UBEN', problem: 'not_approver' }]);
});

test('votes of a former round that are confirmed decide, whoever else has voted since', () => {
  const record = voted(carried(), { by: 'UCARA' });
  const confirmed = record.approval.votes;
  const none = { gone: [], problems: new Map() };
  const decided = applyConfirmation(record, confirmed, { type: 'read', confirmed, ...none }, T0);
  expect(decided).toMatchObject({ state: 'queued', approval: { decision: { by: ['UANA', 'UBEN'] } } });
});

test('votes of a former round decide also if one of their voters has approved once more, in another way', () => {
  const record = voted(carried(), { source: 'white_check_mark' });
  expect(record.approval.confirmation).toBeDefined();
  const confirmed = counted(record.approval);
  expect(confirmed.map(({ by }) => by)).toEqual(['UANA', 'UBEN']);
  const none = { gone: [], problems: new Map() };
  const decided = applyConfirmation(record, confirmed, { type: 'read', confirmed, ...none }, T0);
  expect(decided).toMatchObject({ state: 'queued', approval: { decision: { by: ['UANA', 'UBEN'] } } });
});

test('nobody is asked again when votes of a former round become too few, if new votes are enough', () => {
  const both = voted(voted(carried(), { by: 'UCARA' }), { by: 'UDEV' });
  const record = voted(both, { added: false, moment: RETRIED + 30 });
  expect(record.approval).not.toHaveProperty('carried');
  expect(record.approval).toHaveProperty('confirmation');
  expect(notesOf(record)).toEqual([]);
});

test('while votes of a former round count, nobody is told that earlier reactions do not', () => {
  const { approval, ...record } = carried();
  const again = { ...record, approval: { ...approval, since: T0 + 1 } };
  expect(mayHaveFormerReactions(again)).toBe(false);
  expect(mayHaveFormerReactions(voted(again, { added: false }))).toBe(true);
});

test('votes of a former round do not keep somebody from declining', () => {
  expect(voted(carried(), { by: 'UCARA', choice: 'no', source: 'x' }).state).toBe('declined');
});
