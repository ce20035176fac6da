/**
 * Use case: somebody votes on a request, or takes a vote back.
 *
 * The way of a vote:
 * 1. A reaction comes by react.ts, which finds its request. A button or its form comes at once (slack/features/approval.ts).
 * 2. `voterProblem` (approvers.ts) tells whether the voter may vote: a guest, a bot or somebody of another company may not
 *    (`personProblem` in ../who-may.ts), nor may the requester, nor somebody who is no approver.
 * 3. A vote that counts is entered by model/acts.ts. One decline decides at once; enough approvals are confirmed with
 *    Slack first (engine/confirm-votes.ts). A refused vote adds only a line to the history of the request (`withRefusal`
 *    in model/acts.ts); if nobody can vote at all, the card says so, too, and an admin is told.
 * 4. slack/messages/sentences/vote-texts.ts makes the answer, with `PERSON` in problems.ts beside it for guests and others who
 *    may not vote. Only the voter reads it: where they voted or, after a form, in a modal.
 *
 * Once the request is decided, a late vote is answered with the outcome, except to people of another company (`judgeIfOver`).
 */
import { isClaimStanding } from '../../../outbox/claim.ts';
import type { RecordRef } from '../../../outbox/record-store.ts';
import {
  approvedAgain,
  type Cast,
  isRepeatedAfterDecision,
  leadsToDecision,
  withLateAction,
  withoutButtonVote,
  withPause,
  withRefusal,
  withVote,
} from '../../model/acts.ts';
import { type Approval, BUTTON, sourcesOfApproval, stands } from '../../model/approval.ts';
import { ApproversProblem, OutsiderProblem, type Policy, type VoterProblem } from '../../model/policy.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { Pause } from '../../model/settings.ts';
import { STATES } from '../../model/states.ts';
import { transition } from '../../model/transition.ts';
import type { Directory, Workspaces } from '../../ports/ports.ts';
import { type ChangeDeps, changeRequest, type RequestChange, whileInForce } from '../../store/writes.ts';
import { personProblem } from '../who-may.ts';
import { withApproversCounted } from './approval-needed.ts';
import { policyFor, voterProblem } from './approvers.ts';
import { addReason } from './give-reason.ts';

export type VoteDeps = ChangeDeps & { directory: Directory; workspaces: Pick<Workspaces, 'inForce'> };

export type Voted =
  | { type: 'not_found' }
  /** `again`: this person had approved already, and counts once: the sources of their votes, as in `Cast`. */
  | { type: 'counted'; record: RequestRecord; again?: string[] }
  /** `record`: left out for people who must not learn how the request stands. `source`: as in `Cast`. */
  | { type: 'refused'; problem: VoterProblem; policy: Policy; source: string; record?: RequestRecord }
  /** Sending is paused, and the vote would have decided. */
  | { type: 'paused'; record: RequestRecord; pause: Pause; source: string }
  /** This person has no vote to take back. `record`: left out for people of another company. */
  | { type: 'no_vote'; record?: RequestRecord }
  /**
   * The request no longer awaits this approval. `takesBack`: a vote was taken back too late, and not cast. `isTimeOver`: only the
   * confirmation of the approvals before it is still awaited.
   */
  | { type: 'too_late'; record: RequestRecord; takesBack?: true; isTimeOver?: true };

/** Counts a vote. @throws if the storage or Slack is unavailable: nothing was counted, and the vote must be repeated */
export function vote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, true);
}

/** Whether a vote would be counted, without counting it. A refusal is entered in the history of the request. */
export function mayVote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, false);
}

/**
 * Takes back a person's vote by button, whatever round of approval they saw: their votes are compared by moment. A vote by
 * reaction is taken back by removing the reaction.
 *
 * @throws if the storage or Slack is unavailable: nothing was taken back
 */
export async function takeBack(
  deps: VoteDeps,
  ref: RecordRef,
  who: Pick<Cast, 'by' | 'moment'>,
): Promise<Voted> {
  // A vote against the request decides at once, so that only an approval can be taken back.
  const cast: Cast = { ...who, choice: 'yes', source: BUTTON, added: false };
  const record = (await deps.store.get(ref))?.record;
  if (!record?.approval) return { type: 'not_found' };
  const { approval, state } = record;
  // After the decision, a vote of any round may still be kept out of a later one.
  const isTheirs = STATES[state].votes
    ? sourcesOfApproval(approval, cast.by).includes(BUTTON)
    : stands(approval.votes, cast);
  if (isTheirs) return judge(deps, ref, cast, true);
  await keepEarlyRemoval(deps, ref, cast);
  return (await isExternal(deps, { record, cast })) ? { type: 'no_vote' } : { type: 'no_vote', record };
}

/**
 * Remembers that a vote was taken back before the click that cast it has arrived: when it arrives, it does not count. What keeps
 * all approvers from voting may be over by then.
 */
async function keepEarlyRemoval(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<void> {
  if (cast.moment === undefined) return;
  await changeRequest(deps, ref, async (record, now) => {
    const { approval } = record;
    if (!approval || !STATES[record.state].votes) return { record };
    const problem = await voterProblem(deps.directory, record, approval, cast.by);
    const mayVote = problem === undefined || ApproversProblem.safeParse(problem).success;
    return { record: mayVote ? withVote(record, approval, cast, now) : record };
  });
}

/** `isCast`: false if it is only asked whether the vote would count. */
type Judged = { record: RequestRecord; approval: Approval; cast: Cast; now: number; isCast: boolean };

/** Judges a vote and, if `isCast`, counts it. */
async function judge(deps: VoteDeps, ref: RecordRef, cast: Cast, isCast: boolean): Promise<Voted> {
  const voted = await changeRequest(deps, ref, async (record, now): Promise<RequestChange<Voted>> => {
    const { approval } = record;
    if (!approval) return { record, result: { type: 'not_found' } };
    const judged = { record, approval, cast, now, isCast };
    return (await judgeIfOver(deps, judged)) ?? judgeInTime(deps, judged);
  });
  return voted ?? { type: 'not_found' };
}

/**
 * Judges a vote on a request that no longer awaits this approval. A redelivered vote is answered like the first delivery: it
 * counts once. Any other vote is too late, also a second one of a deciding voter. The history says so, except of a reaction,
 * which names no round: after the decision it is no vote.
 *
 * @returns undefined: the request still awaits the approval
 */
async function judgeIfOver(deps: VoteDeps, judged: Judged): Promise<RequestChange<Voted> | undefined> {
  const { approval, cast, now, isCast } = judged;
  const ended = ifOver(judged);
  if (!ended) return undefined;
  const { over, isConfirming } = ended;
  if (cast.added && (await isExternal(deps, judged)))
    return {
      record: over,
      result: { type: 'refused', problem: 'external_user', policy: approval.policy, source: cast.source },
    };
  const given = await withReasonGiven(deps, over, judged);
  if (given) return given;
  if (isRepeatedAfterDecision(approval, cast))
    return { record: over, result: { type: 'counted', record: over } };
  if (!cast.added) {
    const result = { type: 'too_late', record: over, takesBack: true } as const;
    return { record: withoutButtonVote(over, approval, cast, now), result };
  }
  const action = cast.choice === 'yes' ? 'approve' : 'decline';
  const isNoted = isCast && cast.round !== undefined;
  const noted = isNoted ? withLateAction(over, { at: now, by: cast.by, action, state: over.state }) : over;
  return {
    record: noted,
    result: { type: 'too_late', record: noted, ...(isConfirming && { isTimeOver: true }) },
  };
}

/**
 * Finds the request as it is once it no longer awaits the approval that a vote is for: it expires now, if its time is over. While
 * enough approvals are being confirmed, their result ends it: a late vote does not count, but one that is taken back does.
 *
 * @returns undefined: the request still awaits the approval
 */
function ifOver({
  record,
  approval: { policy, since, round },
  cast,
  now,
}: Judged): { over: RequestRecord; isConfirming: boolean } | undefined {
  const isOpen = STATES[record.state].votes && (cast.round === undefined || cast.round === round);
  if (!isOpen) return { over: record, isConfirming: false };
  if (now < since + policy.expiresAfterMs) return undefined;
  const { claim } = record;
  if (claim?.effect === 'confirm_votes' && isClaimStanding(claim.expiresAt, now))
    return cast.added ? { over: record, isConfirming: true } : undefined;
  return { over: transition(record, { type: 'expire' }, now) ?? record, isConfirming: false };
}

/** Adds the reason of a form to decline, if its person declined by a reaction while the form was open. */
async function withReasonGiven(
  deps: VoteDeps,
  record: RequestRecord,
  { cast: { by, reason }, now }: Judged,
): Promise<RequestChange<Voted> | undefined> {
  if (!reason) return undefined;
  const given = await addReason(deps, record, { by, reason }, now);
  if (given.result?.type !== 'given') return undefined;
  return { record: given.record, result: { type: 'counted', record: given.record } };
}

async function judgeInTime(deps: VoteDeps, judged: Judged): Promise<RequestChange<Voted>> {
  const { record, approval, cast, now, isCast } = judged;
  const { by, source, added } = cast;
  // A member's removal is stored even if no vote is known, because it may arrive before the vote that it takes back, and before
  // the bot has heard that they are an approver.
  const isKnown = added || approval.votes.some((vote) => vote.by === by && vote.source === source);
  const isOutsider = async () =>
    OutsiderProblem.safeParse(personProblem(await deps.directory.person(record.workspace, by))).success;
  if (!isKnown && (await isOutsider())) return { record, result: { type: 'no_vote' } };
  // Taking a vote back needs no right, because it changes only the person's own vote.
  const problem = added ? await voterProblem(deps.directory, record, approval, by) : undefined;
  if (problem) {
    const isOutside = problem === 'external_user';
    const known = isOutside ? {} : { record };
    const policy = policyFor(record, approval);
    const result = { type: 'refused', problem, policy, source, ...known } as const;
    return { record: withRefusal(record, approval, cast, problem, now), result };
  }
  const voted = withVote(record, approval, cast, now);
  const next = isCast ? await withApproversLeft(deps, voted, judged) : record;
  const again = isCast ? approvedAgain(record, voted, approval, cast) : undefined;
  const result = { type: 'counted', record: next, ...(again && { again }) } as const;
  const change: RequestChange<Voted> = { record: next, result };
  return leadsToDecision(record, voted) ? judgeUnderPause(deps, judged, change) : change;
}

/**
 * Counts the approvers again after a vote: one of them may have been deactivated, of which the bot gets no event. After a vote
 * was taken back there are as many as before, unless it was carried into this round and now all are asked anew: if its voter
 * wants the request sent again, they may not vote anew.
 */
async function withApproversLeft(
  { directory }: VoteDeps,
  voted: RequestRecord,
  { approval, cast: { added }, now }: Judged,
): Promise<RequestRecord> {
  const isAskedAnew = approval.carried !== undefined && voted.approval?.carried === undefined;
  if (!added && !isAskedAnew) return voted;
  // A vote must not be lost because Slack can't be read for this: the next vote counts again.
  return withApproversCounted(directory, voted, now).catch(() => voted);
}

/** Whether a voter is of another company: such people must never learn the outcome of a request, or a reason. */
async function isExternal(
  { directory }: VoteDeps,
  { record, cast }: Pick<Judged, 'record' | 'cast'>,
): Promise<boolean> {
  return personProblem(await directory.person(record.workspace, cast.by)) === 'external_user';
}

/** Refuses a vote that would decide while sending is paused. Its voter is told. */
async function judgeUnderPause(
  { workspaces }: VoteDeps,
  { record, approval, cast, now, isCast }: Judged,
  change: RequestChange<Voted>,
): Promise<RequestChange<Voted>> {
  const inForce = await workspaces.inForce(record.workspace);
  const { paused: pause } = inForce.settings;
  if (!pause) return { ...change, conditions: [whileInForce(inForce)] };
  const seen = isCast ? withRefusal(record, approval, cast, 'paused', now) : record;
  const { source } = cast;
  return { record: withPause(seen, pause, now), result: { type: 'paused', record: seen, pause, source } };
}
