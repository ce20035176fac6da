/** Use case: somebody votes on a request, or takes a vote back. */
import type { RecordRef } from '../../../outbox/record-store.ts';
import { type Approval, withConfirmationOwed } from '../../model/approvals/approval.ts';
import {
  ApproversProblem,
  type Policy,
  type VoteProblem,
  type VoterProblem,
} from '../../model/approvals/policy.ts';
import {
  applyVote,
  approvers,
  BUTTON,
  stands,
  type Vote,
  type VoteChange,
  verdict,
  withEntry,
} from '../../model/approvals/votes.ts';
import type { Choice } from '../../model/cause.ts';
import { decided, lateAction, withLateAction, withPause } from '../../model/changes.ts';
import type { Pause } from '../../model/pause.ts';
import type { RequestRecord } from '../../model/record.ts';
import { withEvidence, withProblem } from '../../model/record-notes.ts';
import { STATES } from '../../model/states.ts';
import { transition } from '../../model/transition.ts';
import type { Directory, Workspaces } from '../../ports/ports.ts';
import {
  type ChangeDeps,
  changeRecord,
  type RequestChange,
  whileInForce,
} from '../../store/change-record.ts';
import { personProblem } from '../people.ts';
import { withApproversRecounted } from './approval-needed.ts';
import { voterProblem } from './approvers.ts';

export type VoteDeps = ChangeDeps & { directory: Directory; workspaces: Pick<Workspaces, 'inForce'> };

export type Cast = {
  by: string;
  choice: Choice;
  /** The name of the emoji, or BUTTON for the button. */
  source: string;
  /** False: the vote by this emoji is taken back. */
  added: boolean;
  /**
   * The time of the vote, microseconds by Slack's clock. Of a form: of the click that opened it. Undefined if Slack did
   * not tell: after all other votes.
   */
  moment?: number | undefined;
  /** The vote was submitted with a form, which carries no time: after all votes of this person that are known. */
  isForm?: boolean;
  /** The round of approval that the person saw; undefined: any, as for reactions, which are compared by their moment. */
  round?: number;
  /** The reason for declining. */
  reason?: string;
};

export type Voted =
  | { type: 'not_found' }
  /** `again`: this person had approved already, in another way, and counts once. */
  | { type: 'counted'; record: RequestRecord; again?: true }
  /** `approvals`: how many count so far; undefined for people who must not learn how the request stands. */
  | { type: 'refused'; problem: VoterProblem; policy: Policy; approvals?: number }
  /** Sending is paused, and the vote would have decided. `source`: as in `Cast`. */
  | { type: 'paused'; pause: Pause; source: string }
  /** This person has no vote to take back. */
  | { type: 'no_vote' }
  /** The request no longer awaits approval. */
  | { type: 'too_late'; record: RequestRecord };

/** Counts a vote. @throws if the storage or Slack is unavailable: nothing was counted, and the vote must be repeated */
export function vote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, withVote);
}

/** Whether a vote would be counted, without counting it. A refusal is recorded; nothing was confirmed that is too late. */
export function mayVote(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<Voted> {
  return judge(deps, ref, cast, undefined);
}

/**
 * Takes back a person's vote by button. A vote by reaction is taken back by removing the reaction.
 *
 * @throws as above
 */
export async function takeBack(
  deps: VoteDeps,
  ref: RecordRef,
  who: Pick<Cast, 'by' | 'moment' | 'round'>,
): Promise<Voted> {
  const cast: Cast = { ...who, choice: 'yes', source: BUTTON, added: false };
  const found = await deps.store.get(ref);
  if (!found?.record.approval) return { type: 'not_found' };
  if (stands(found.record.approval.votes, cast)) return judge(deps, ref, cast, withVote);
  await keepEarlyRemoval(deps, ref, cast);
  return { type: 'no_vote' };
}

/** Keeps that a vote was taken back before the click that cast it has arrived: that vote does not count. */
async function keepEarlyRemoval(deps: VoteDeps, ref: RecordRef, cast: Cast): Promise<void> {
  if (cast.moment === undefined) return;
  await changeRecord(deps, ref, async (record, now) => {
    const { approval } = record;
    const mayVote = approval && !(await voterProblem(deps.directory, record, approval, cast.by));
    const isOpen = mayVote && STATES[record.state].votes && cast.round === approval.round;
    return { record: isOpen ? withVote(record, approval, cast, now) : record, result: undefined };
  });
}

type Count = (record: RequestRecord, approval: Approval, cast: Cast, now: number) => RequestRecord;

/** @param count counts the vote; undefined: it is only asked whether it would count */
async function judge(deps: VoteDeps, ref: RecordRef, cast: Cast, count: Count | undefined): Promise<Voted> {
  const voted = await changeRecord(deps, ref, async (record, now): Promise<RequestChange<Voted>> => {
    const { approval } = record;
    if (!approval) return { record, result: { type: 'not_found' } };
    const over = await judgedTooLate(deps, record, approval, cast, now);
    if (over) return count ? noted(over, cast, now) : over;
    return judgedInTime(deps, { record, approval, cast, now, isCast: count !== undefined }, count);
  });
  return voted ?? { type: 'not_found' };
}

/** `isCast`: false if it is only asked whether the vote would count. */
type Judged = { record: RequestRecord; approval: Approval; cast: Cast; now: number; isCast: boolean };

/** Judges a vote on a request that awaits it. */
async function judgedInTime(
  deps: VoteDeps,
  judged: Judged,
  count: Count | undefined,
): Promise<RequestChange<Voted>> {
  const { record, approval, cast, now } = judged;
  if (await isStrangersRemoval(deps, record, approval, cast)) return { record, result: { type: 'no_vote' } };
  // Taking a vote back needs no right, because it changes only the person's own vote.
  const problem = cast.added ? await voterProblem(deps.directory, record, approval, cast.by) : undefined;
  if (problem) {
    const { policy } = approval;
    const isOutside = problem === 'external_user';
    const approvals = isOutside ? {} : { approvals: approvers(approval).length };
    const result = { type: 'refused', problem, policy, ...approvals } as const;
    return { record: refused(record, approval, cast, problem, now), result };
  }
  const next = count
    ? await withApproversRecounted(deps.directory, count(record, approval, cast, now), now)
    : record;
  const again = isApprovedAgain(record, next, approval, cast) ? { again: true as const } : {};
  const counted: RequestChange<Voted> = { record: next, result: { type: 'counted', record: next, ...again } };
  return leadsToDecision(record, withVote(record, approval, cast, now))
    ? judgedUnderPause(deps, judged, counted)
    : counted;
}

/** Whether a person approves who has approved already. What Slack delivers a second time changes nothing. */
function isApprovedAgain(
  before: RequestRecord,
  after: RequestRecord,
  approval: Approval,
  { by, choice, added }: Cast,
): boolean {
  return added && choice === 'yes' && before !== after && approvers(approval).includes(by);
}

/** Whether a vote declines the request, or completes the approvals that it needs. */
function leadsToDecision(before: RequestRecord, after: RequestRecord): boolean {
  const isOwed = ({ approval }: RequestRecord) => approval?.confirmation !== undefined;
  return after.state !== before.state || (isOwed(after) && !isOwed(before));
}

/** While sending is paused, nothing is decided: a vote that would do it is refused, and its voter told. */
async function judgedUnderPause(
  { workspaces }: VoteDeps,
  { record, approval, cast, now, isCast }: Judged,
  counted: RequestChange<Voted>,
): Promise<RequestChange<Voted>> {
  const inForce = await workspaces.inForce(record.workspace);
  const { paused: pause } = inForce.settings;
  if (!pause) return { ...counted, conditions: [whileInForce(inForce)] };
  const seen = isCast ? refused(record, approval, cast, 'paused', now) : record;
  return { record: withPause(seen, pause, now), result: { type: 'paused', pause, source: cast.source } };
}

/** Judges a vote on a request that no longer awaits this approval; undefined: it still does. */
async function judgedTooLate(
  deps: VoteDeps,
  record: RequestRecord,
  approval: Approval,
  cast: Cast,
  now: number,
): Promise<RequestChange<Voted> | undefined> {
  const isSeen = cast.round === undefined || cast.round === approval.round;
  const isOpen = STATES[record.state].votes && isSeen;
  const isExpired = isOpen && now >= approval.since + approval.policy.expiresAfterMs;
  const expired = isExpired ? transition(record, { type: 'expire' }, now) : undefined;
  if (isOpen && !expired) return undefined;
  const refusal = await refusedExternalUser(deps, record, approval, cast);
  if (refusal) return { record: expired ?? record, result: refusal };
  return late(expired ?? record, expired?.approval ?? approval, cast);
}

/**
 * Whether a person of another company removes what is no vote. Of members such a removal is stored, since it may arrive
 * before the vote that it takes back.
 */
async function isStrangersRemoval(
  { directory }: VoteDeps,
  { workspace }: RequestRecord,
  { votes }: Approval,
  { by, source, added }: Cast,
): Promise<boolean> {
  if (added || votes.some((vote) => vote.by === by && vote.source === source)) return false;
  return personProblem(await directory.person(workspace, by)) === 'external_user';
}

/** Refuses people of another company. Never reveals a request's outcome or reason to them, at any time. */
async function refusedExternalUser(
  { directory }: VoteDeps,
  { workspace }: RequestRecord,
  { policy }: Approval,
  { by, added }: Cast,
): Promise<Voted | undefined> {
  const problem = added ? personProblem(await directory.person(workspace, by)) : undefined;
  return problem === 'external_user' ? { type: 'refused', problem, policy } : undefined;
}

/**
 * Judges a vote after the decision. A vote already counted is a redelivery by Slack, and its result is not shown to
 * anyone. A vote without a time is recognized by the deciding voter. Any other vote is too late, also a second one of a
 * deciding voter.
 */
function late(record: RequestRecord, approval: Approval, cast: Cast): RequestChange<Voted> {
  const { by, choice, source, moment } = cast;
  const { votes, decision } = approval;
  const isRepeated =
    moment === undefined
      ? decision?.choice === choice && decision.by.includes(by)
      : votes.some(
          (vote) =>
            vote.by === by && vote.source === source && vote.choice === choice && vote.addedAt >= moment,
        );
  if (isRepeated) return { record, result: { type: 'counted', record } };
  const next = cast.added ? record : withoutButton(record, approval, cast);
  return { record: next, result: { type: 'too_late', record } };
}

/**
 * The decision stands, but a vote by button that was taken back is not carried into another round: Slack can't be asked for
 * it.
 */
function withoutButton(record: RequestRecord, approval: Approval, cast: Cast): RequestRecord {
  if (cast.source !== BUTTON) return record;
  const { by, choice, source, added } = cast;
  const change = { by, choice, source, added, moment: momentOf(approval, cast) };
  return { ...record, approval: { ...approval, votes: [...applyVote(approval.votes, change)] } };
}

/** Notes in the history of the request that a vote came too late. Of reactions, only those on an open request are votes. */
function noted(
  change: RequestChange<Voted>,
  { by, choice, added, round }: Cast,
  now: number,
): RequestChange<Voted> {
  const { record, result } = change;
  if (result.type !== 'too_late' || !added || round === undefined) return change;
  const action = choice === 'yes' ? 'approve' : 'decline';
  const next = withLateAction(record, lateAction(record, { by, action }, now));
  return { record: next, result: { type: 'too_late', record: next } };
}

function withVote(record: RequestRecord, approval: Approval, cast: Cast, now: number): RequestRecord {
  const { by, source, choice, added, reason } = cast;
  const moment = momentOf(approval, cast);
  const change = { by, source, choice, added, moment };
  const votes = applyVote(approval.votes, change);
  if (votes === approval.votes) return record;
  const entries = entriesOf(approval.votes, votes, change);
  const withEntries = entries.reduce((next, type) => withEntry(next, { at: now, by, type, choice, source }), {
    ...approval,
    votes: [...votes],
  });
  const approvalNow = withConfirmationOwed(withEntries, now);
  const seen = { ...record, approval: approvalNow, revision: record.revision + (entries.length > 0 ? 1 : 0) };
  const next = added ? withEvidence(seen, 'vote', now) : seen;
  const found = verdict(approvalNow);
  return found.type === 'decided' ? decided(next, found, now, reason) : next;
}

/**
 * The history entries of a change. A vote whose removal arrived first becomes both; the removal of a vote that never
 * existed is nothing.
 */
function entriesOf(
  before: readonly Vote[],
  after: readonly Vote[],
  change: VoteChange,
): ('voted' | 'taken_back')[] {
  const stood = stands(before, change);
  if (!change.added) return stood ? ['taken_back'] : [];
  return stands(after, change) ? ['voted'] : ['voted', 'taken_back'];
}

/** The time of a vote, by Slack's times alone: our clock may be minutes off, and the vote would not count, or would win. */
function momentOf({ votes, countedFrom }: Approval, { by, moment, isForm }: Cast): number {
  if (moment !== undefined && !isForm) return moment;
  const earlier = moment === undefined ? votes : votes.filter((vote) => vote.by === by);
  const latest = earlier.map(({ addedAt, removedAt }) => Math.max(addedAt, removedAt));
  return Math.max(moment ?? 0, Math.max(countedFrom, ...latest) + 1);
}

/** Records a refused vote in the history. If nobody can vote at all, the card says so and an admin is notified. */
function refused(
  record: RequestRecord,
  approval: Approval,
  { by, choice, source }: Cast,
  problem: VoteProblem,
  now: number,
): RequestRecord {
  const entry = { at: now, by, type: 'refused' as const, choice, source, problem };
  const noted = { ...record, approval: withEntry(approval, entry) };
  const ofAll = ApproversProblem.safeParse(problem);
  return ofAll.success ? withProblem(noted, ofAll.data, now) : noted;
}
