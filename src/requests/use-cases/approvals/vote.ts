/** Use case: somebody votes on a request, or takes a vote back. */

import {
  type Approval,
  ApproversProblem,
  type VoterProblem,
  withConfirmationOwed,
  withEntry,
} from '../../model/approvals/approval.ts';
import { decided } from '../../model/approvals/decide.ts';
import type { Choice, Policy } from '../../model/approvals/policy.ts';
import {
  applyVote,
  BUTTON,
  stands,
  type Vote,
  type VoteChange,
  verdict,
} from '../../model/approvals/votes.ts';
import { withProblem, withSight } from '../../model/notification.ts';
import { currentStep, type RequestRecord } from '../../model/record.ts';
import { transition } from '../../model/transition.ts';
import type { Directory } from '../../ports/ports.ts';
import type { RecordRef } from '../../ports/record-store.ts';
import { type Change, type ChangeDeps, changeRecord } from '../../store/change-record.ts';
import { personProblem } from '../rules.ts';
import { voterProblem } from './approvers.ts';

export type VoteDeps = ChangeDeps & { directory: Directory };

export type Cast = {
  by: string;
  choice: Choice;
  /** The name of the emoji, or BUTTON. */
  source: string;
  /** False: the vote that the emoji made is taken back. */
  added: boolean;
  /** When, microseconds by Slack's clock; undefined: now, after all else that this person has said. */
  moment?: number;
  /** The number of the step that the person saw; undefined: whichever it is in. */
  step?: number;
  /** Why it is denied. */
  reason?: string;
};

export type Voted =
  | { type: 'not_found' }
  | { type: 'counted'; record: RequestRecord }
  | { type: 'refused'; problem: VoterProblem; policy: Policy }
  /** There is no vote by button of this person that could be taken back. */
  | { type: 'no_vote' }
  /** Approval is not awaited any more. */
  | { type: 'too_late'; record: RequestRecord };

/** @throws where the storage or Slack is away: nothing was counted, and it must be said again */
export function vote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, withVote);
}

/** Whether a vote would be counted: the same as voting, but that it is not. A refusal is written down. */
export function mayVote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, (record) => record);
}

/**
 * Takes back the vote that somebody has made with the button; a reaction is taken back where it was put.
 *
 * @throws as above
 */
export async function takeBack(
  deps: VoteDeps,
  ref: RecordRef,
  who: Pick<Cast, 'by' | 'moment' | 'step'>,
): Promise<Voted> {
  const cast: Cast = { ...who, choice: 'yes', source: BUTTON, added: false };
  const found = await deps.store.get(ref);
  if (!found?.record.approval) return { type: 'not_found' };
  if (!stands(found.record.approval.votes, cast)) return { type: 'no_vote' };
  return judge(deps, ref, cast, withVote);
}

type Count = (record: RequestRecord, approval: Approval, cast: Cast, now: number) => RequestRecord;

async function judge(deps: VoteDeps, ref: RecordRef, cast: Cast, count: Count): Promise<Voted> {
  const voted = await changeRecord(deps, ref, async (record, now): Promise<Change<Voted>> => {
    const { approval } = record;
    if (!approval) return { record, result: { type: 'not_found' } };
    const isSeen = cast.step === undefined || cast.step === currentStep(record).n;
    const isOpen = record.state === 'awaiting_approval' && isSeen;
    if (!isOpen)
      return { record, result: (await stranger(deps, record, approval, cast)) ?? late(record, cast) };
    const lapsed =
      now >= approval.since + approval.policy.lapseMs && transition(record, { type: 'lapse' }, now);
    if (lapsed) return { record: lapsed, result: { type: 'too_late', record: lapsed } };
    // Whoever takes a vote back needs no right to do so: it changes nothing but their own vote.
    const problem = cast.added ? await voterProblem(deps.directory, record, approval, cast.by) : undefined;
    if (problem) {
      const result = { type: 'refused', problem, policy: approval.policy } as const;
      return { record: refused(record, approval, cast, problem, now), result };
    }
    const next = count(record, approval, cast, now);
    return { record: next, result: { type: 'counted', record: next } };
  });
  return voted ?? { type: 'not_found' };
}

/** What became of a request, and why, is nothing that another company reads: it is told neither soon nor late. */
async function stranger(
  { directory }: VoteDeps,
  { workspace }: RequestRecord,
  { policy }: Approval,
  { by, added }: Cast,
): Promise<Voted | undefined> {
  const problem = added ? personProblem(await directory.person(workspace, by)) : undefined;
  return problem === 'stranger' ? { type: 'refused', problem, policy } : undefined;
}

/**
 * A vote that was counted comes once more where Slack tells again: nobody reads anything then. A form has no moment: it is
 * known by whoever has decided. Any other vote is too late, also a second one of somebody who has decided.
 */
function late(record: RequestRecord, cast: Cast): Voted {
  const { votes = [], decision } = record.approval ?? {};
  const { by, choice, source, moment } = cast;
  const isRepeated =
    moment === undefined
      ? decision?.choice === choice && decision.by.includes(by)
      : votes.some(
          (vote) =>
            vote.by === by && vote.source === source && vote.choice === choice && vote.addedAt >= moment,
        );
  return { type: isRepeated ? 'counted' : 'too_late', record };
}

function withVote(record: RequestRecord, approval: Approval, cast: Cast, now: number): RequestRecord {
  const { by, source, choice, added, reason } = cast;
  const moment = cast.moment ?? latestMoment(approval, by, now);
  const change = { by, source, choice, added, moment };
  const votes = applyVote(approval.votes, change);
  if (votes === approval.votes) return record;
  const entries = whatHappened(approval.votes, votes, change);
  const heard = entries.reduce((noted, type) => withEntry(noted, { at: now, by, type, choice, source }), {
    ...approval,
    votes: [...votes],
  });
  const approvalNow = withConfirmationOwed(heard, now);
  const seen = { ...record, approval: approvalNow, revision: record.revision + (entries.length > 0 ? 1 : 0) };
  const next = added ? withSight(seen, 'vote', now) : seen;
  const found = verdict(approvalNow);
  return found.type === 'decided' ? decided(next, found, now, reason) : next;
}

/** A vote that was taken back before it was told of was both; taking back what never was is nothing. */
function whatHappened(
  before: readonly Vote[],
  after: readonly Vote[],
  change: VoteChange,
): ('voted' | 'taken_back')[] {
  const stood = stands(before, change);
  if (!change.added) return stood ? ['taken_back'] : [];
  return stands(after, change) ? ['voted'] : ['voted', 'taken_back'];
}

/** A form does not say when it was sent: it counts as the latest that this person has said. */
function latestMoment({ votes }: Approval, by: string, now: number): number {
  const said = votes.filter((vote) => vote.by === by);
  return Math.max(now * 1_000, ...said.map(({ addedAt, removedAt }) => Math.max(addedAt, removedAt) + 1));
}

/** The refusal stands in the history; where nobody can vote at all, the card says so, and an admin hears of it. */
function refused(
  record: RequestRecord,
  approval: Approval,
  { by, choice, source }: Cast,
  problem: VoterProblem,
  now: number,
): RequestRecord {
  const entry = { at: now, by, type: 'refused' as const, choice, source, problem };
  const noted = { ...record, approval: withEntry(approval, entry) };
  const ofAll = ApproversProblem.safeParse(problem);
  return ofAll.success ? withProblem(noted, ofAll.data, now) : noted;
}
