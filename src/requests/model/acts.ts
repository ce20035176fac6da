/** Changes a request by an act of a person: a vote, the decision that it leads to, a pause, an action that came too late. */
import {
  type Approval,
  applyVote,
  approvers,
  BUTTON,
  changedAt,
  counted,
  isButton,
  isSameVote,
  sourcesOfApproval,
  stands,
  standsInRound,
  type Verdict,
  type VoteChange,
  type VoteEntry,
  verdict,
  withConfirmationOwed,
  withEntry,
  withoutCarriedVotes,
} from './approval.ts';
import type { Choice } from './cause.ts';
import { ApproversProblem, OutsiderProblem, type VoteProblem } from './policy.ts';
import type { LateAction, RequestRecord } from './record.ts';
import { withEvidence, withNote, withProblem } from './record-notes.ts';
import { isSamePause, type Pause } from './settings.ts';
import { STATES } from './states.ts';
import { transition } from './transition.ts';

/** A vote as a person cast it or took it back. */
export type Cast = {
  by: string;
  choice: Choice;
  /** The name of the emoji, or BUTTON for the button. */
  source: string;
  /** False: the vote by this emoji is taken back. */
  added: boolean;
  /**
   * The time of the vote, or of the click that opened the form with it; microseconds by Slack's clock. Undefined if Slack
   * did not tell: the vote counts as cast after all others.
   */
  moment?: number | undefined;
  /** Set if a form was submitted, which carries no time: the vote counts as cast after all known votes of this person. */
  isForm?: boolean;
  /** The round of approval that the person saw; undefined: any, as for what is taken back and for reactions. */
  round?: number;
  reason?: string;
};

/** Returns the record with the vote counted or taken back; the same record if this is a repeat. */
export function withVote(record: RequestRecord, approval: Approval, cast: Cast, now: number): RequestRecord {
  const entered = withChange(approval, cast, now);
  if (entered === approval) return record;
  const { added, reason } = cast;
  const asksAnew = entered.carried !== undefined && verdict(entered).type === 'open';
  const current = withConfirmationOwed(asksAnew ? withoutCarriedVotes(entered) : entered, now);
  const shown = {
    ...record,
    approval: current,
    // A repeated vote, which has no entry, changes the order of the approvers.
    revision: record.revision + (added || entered.history !== approval.history ? 1 : 0),
  };
  const seen = asksAnew ? withApproversAsked(shown, now) : shown;
  const next = added ? withEvidence(seen, 'vote', now) : seen;
  const found = verdict(current);
  return found.type === 'decided' ? decided(next, found, now, reason) : next;
}

/** Returns the approval with the vote changed, and the change in its history; the same approval if this is a repeat. */
function withChange(approval: Approval, cast: Cast, now: number): Approval {
  const change = changeBy(cast, approval);
  const votes = applyVote(approval.votes, change);
  if (votes === approval.votes) return approval;
  const { by, source, choice } = cast;
  const changed = { ...approval, votes };
  const entries = entriesOf(approval, changed, change);
  return entries.reduce((next, type) => withEntry(next, { at: now, by, type, choice, source }), changed);
}

/** Asks the approvers anew, because carried votes no longer count, unless other votes meet the policy already. */
export function withApproversAsked(record: RequestRecord, now: number): RequestRecord {
  const { approval } = record;
  return approval && verdict(approval).type === 'open'
    ? withNote(record, { type: 'approval_requested_again' }, now)
    : record;
}

/**
 * The change of the votes. Its moment is by Slack's times alone: our clock may be minutes off, so that a vote would not count,
 * or would wrongly count as the latest.
 */
function changeBy(cast: Cast, { votes, countedFrom }: Approval): VoteChange {
  const { by, source, choice, added, moment, isForm } = cast;
  const change = { by, source, choice, added };
  if (moment !== undefined && !isForm) return { ...change, moment };
  const earlier = moment === undefined ? votes : votes.filter((vote) => vote.by === by);
  const next = Math.max(countedFrom, ...earlier.map(changedAt)) + 1;
  return { ...change, moment: Math.max(moment ?? 0, next) };
}

/**
 * The history entries of a change. If the removal arrives before the vote, both are entered; the removal of a vote that
 * never existed is not, nor what leaves a vote by button as it was, such as a second press. (A reaction is added a second
 * time only after it was removed.)
 */
function entriesOf(before: Approval, after: Approval, change: VoteChange): VoteEntry['type'][] {
  if (isButton(change) && standsInRound(before, change) && standsInRound(after, change)) return [];
  if (!change.added) return stands(before.votes, change) ? ['taken_back'] : [];
  return stands(after.votes, change) ? ['voted'] : ['voted', 'taken_back'];
}

/**
 * Applies the decision of the approvers.
 *
 * @param reason why the request was declined, if a reason was asked for
 * @returns the record approved or declined; the same record if it no longer awaits approval
 */
export function decided(
  record: RequestRecord,
  { choice, by }: Extract<Verdict, { type: 'decided' }>,
  now: number,
  reason?: string,
): RequestRecord {
  const { approval } = record;
  const moved = approval && transition(record, { type: 'decision', choice, by }, now);
  if (!moved) return record;
  const source = counted(approval).findLast((vote) => by.includes(vote.by))?.source ?? BUTTON;
  const decision = { choice, by, at: now, source, ...(reason ? { reason } : {}) };
  const done = { ...moved, approval: { ...approval, decision } };
  // The button has asked for a reason already; after a reaction the bot asks for one.
  return choice === 'no' && source !== BUTTON ? withNote(done, { type: 'reason_wanted' }, now) : done;
}

/**
 * Takes back a vote by button after the decision. The decision stands, but the vote is not carried into another round. (The
 * removal of a reaction need not be stored: Slack is asked about the reaction then.)
 */
export function withoutButtonVote(
  record: RequestRecord,
  approval: Approval,
  cast: Cast,
  now: number,
): RequestRecord {
  return cast.source === BUTTON ? { ...record, approval: withChange(approval, cast, now) } : record;
}

/**
 * Finds the sources of a person's approvals, if they approve although they had approved already.
 *
 * @returns undefined if they had not, or if this is a redelivery, which does not change the record
 */
export function approvedAgain(
  before: RequestRecord,
  after: RequestRecord,
  approval: Approval,
  { by, choice, added }: Cast,
): string[] | undefined {
  const isAgain = added && choice === 'yes' && before !== after && approvers(approval).includes(by);
  return isAgain && after.approval ? sourcesOfApproval(after.approval, by) : undefined;
}

/** Whether a vote has declined the request, or completed the approvals that it needs. */
export function leadsToDecision(before: RequestRecord, after: RequestRecord): boolean {
  const isOwed = ({ approval }: RequestRecord) => approval?.confirmation !== undefined;
  return after.state !== before.state || (isOwed(after) && !isOwed(before));
}

/**
 * Records a refused vote in the history. If nobody can vote at all, the card says so and an admin is notified.
 *
 * @returns the same record if this is a redelivery, or a repetition of somebody who may never vote: they could repeat it
 *   without end, and each write would hold up the votes of others
 */
export function withRefusal(
  record: RequestRecord,
  approval: Approval,
  { by, choice, source, moment }: Cast,
  problem: VoteProblem,
  now: number,
): RequestRecord {
  const refusal = { by, type: 'refused' as const, choice, source, problem };
  const isOutsider = OutsiderProblem.safeParse(problem).success;
  const isRepeated = (known: VoteEntry) =>
    isOutsider ? known.at >= approval.since : moment !== undefined && known.moment === moment;
  const isKnown = (known: VoteEntry) =>
    isRepeated(known) && known.problem === problem && isSameVote(known, refusal);
  if (approval.history.some(isKnown)) return record;
  const entry = { at: now, ...refusal, ...(moment !== undefined && { moment }) };
  const next = { ...record, approval: withEntry(approval, entry) };
  const ofAll = ApproversProblem.safeParse(problem);
  return ofAll.success ? withProblem(next, ofAll.data, now) : next;
}

/**
 * Whether a vote after the decision is one that was counted, delivered by Slack once more. A vote without a time is
 * recognized by the deciding voter.
 */
export function isRepeatedAfterDecision({ votes, decision }: Approval, cast: Cast): boolean {
  const { by, choice, moment } = cast;
  if (moment === undefined) return decision?.choice === choice && decision.by.includes(by);
  return votes.some((vote) => isSameVote(vote, cast) && vote.addedAt >= moment);
}

/**
 * Shows on a request that sending is paused, or is not any more.
 *
 * @param paused as the settings have it; undefined: sending is not paused
 * @returns the same record if it shows that already, or if nothing of it waits to be sent
 */
export function withPause(record: RequestRecord, paused: Pause | undefined, now: number): RequestRecord {
  if (!STATES[record.state].beforeCall || isSamePause(record.paused, paused)) return record;
  const seen = { ...record, paused, revision: record.revision + 1 };
  return paused ? seen : withConfirmationFrom(seen, now);
}

/** Begins the wait for a confirmation anew: that the votes were not confirmed during the pause is no fault to report. */
function withConfirmationFrom(record: RequestRecord, now: number): RequestRecord {
  const { approval } = record;
  if (!approval?.confirmation) return record;
  const confirmation = { ...approval.confirmation, since: now, notBefore: now };
  return { ...record, approval: { ...approval, confirmation } };
}

/** The number of late actions that are kept: older ones are dropped. */
const MOST_LATE_ACTIONS = 20;

/** Notes a late action. @returns the same record if it is noted already: a person may press a button again and again */
export function withLateAction(record: RequestRecord, late: LateAction): RequestRecord {
  const { by, action, state } = late;
  const isKnown = record.lateActions.some(
    (other) => other.by === by && other.action === action && other.state === state,
  );
  return isKnown
    ? record
    : { ...record, lateActions: [...record.lateActions, late].slice(-MOST_LATE_ACTIONS) };
}
