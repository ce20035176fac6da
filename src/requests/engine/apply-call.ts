/** Applies the answer to a call to the order service, whenever it arrives. */
import type { Answer, ServiceEvent } from '../model/cause.ts';
import { isOwnEvent } from '../model/event-owner.ts';
import { applyBufferedEvents, bounded } from '../model/events.ts';
import { currentStep, type RequestRecord, type Step } from '../model/record.ts';
import { wasNotAsked } from '../model/refusal.ts';
import { outcomeSaid, STATES } from '../model/states.ts';
import {
  hasEventSince,
  isCall,
  isPossiblyReceivedCall,
  mayHaveReceived,
  receiptOf,
} from '../model/summary.ts';
import { decidedStep, transition } from '../model/transition.ts';

type Said = Extract<Answer, { type: 'said' }>;
type Answered = { attempt: number; answer: Answer };

/**
 * Applies the answer to call number `attempt`, in time or late: its claim may have expired, and a person may have sent
 * the request again since. A late answer applies unless something newer is known. A late refusal, or the proof that a
 * call was not received, undoes no outcome; it is recorded as the result of its call.
 *
 * Events received during the call are applied after the answer; those that belong elsewhere are returned as
 * `unmatched`.
 */
export function applyCallResult(
  record: RequestRecord,
  answer: Answer,
  attempt: number,
  now: number,
): { record: RequestRecord; unmatched: ServiceEvent[] } {
  const answered = { attempt, answer };
  const known = withCallResult(record, answered);
  const waiting = [...known.lateAnswers, { attempt, answer: weighed(known, answer) }];
  // The call under way is answered or given up soon. Until then not even a cancellation is told, so that one reply says what came
  // of both calls, and none corrects another.
  const isLaterCallUnderWay = record.state === 'calling' && attempt !== record.call.attempts;
  const applies = (each: Answered) => !isLaterCallUnderWay && mayApplyYet(known, each);
  const kept = waiting.filter((each) => !applies(each) && each.answer.type === 'said');
  const applied = waiting
    .filter(applies)
    .reduce<RequestRecord>(
      (next, each) => (isNews(next, each) && transition(next, { type: 'answer', ...each }, now)) || next,
      { ...known, lateAnswers: kept },
    );
  return applied.state === 'calling' ? { record: applied, unmatched: [] } : applyBufferedEvents(applied, now);
}

/**
 * A call that was not received is made again, but not where a failover has undone another one of the same decision, which may have
 * been received (promise 1).
 */
function weighed(record: RequestRecord, answer: Answer): Answer {
  const { n } = decidedStep(record);
  const isInDoubt = record.steps.some((step) => step.n > n && isPossiblyReceivedCall(step));
  return answer.type === 'not_received' && isInDoubt ? { type: 'no_answer', why: 'interrupted' } : answer;
}

/**
 * Whether an answer may be applied yet: that an earlier call was denied, or is under review, says nothing about a later
 * one that is in doubt.
 */
function mayApplyYet(record: RequestRecord, { attempt, answer }: Answered): boolean {
  if (answer.type !== 'said' || outcomeSaid(answer.status) === 'done') return true;
  return callsAfter(record, attempt).every(
    ({ callResult }) => callResult !== undefined && callResult !== 'accepted',
  );
}

const callsAfter = ({ steps }: RequestRecord, attempt: number): Step[] => steps.filter(isCall).slice(attempt);

const callOf = ({ steps }: RequestRecord, attempt: number): Step | undefined =>
  steps.filter(isCall)[attempt - 1];

/** Marks the answered call with its result, whatever else the answer changes. */
function withCallResult(record: RequestRecord, { attempt, answer }: Answered): RequestRecord {
  if (answer.type === 'no_answer') return record;
  const callResult = callResultOf(answer);
  const begun = callOf(record, attempt);
  const steps = record.steps.map((step) => (step === begun ? { ...step, callResult } : step));
  const marked = { ...record, steps, call: { ...record.call, ...requestedAt(record, { attempt, answer }) } };
  // The card tells whether the request may have been received.
  const isSeen = record.state !== 'calling' && receiptOf(marked) !== receiptOf(record);
  return isSeen ? { ...marked, revision: record.revision + 1 } : marked;
}

function callResultOf(answer: Exclude<Answer, { type: 'no_answer' }>): NonNullable<Step['callResult']> {
  if (answer.type === 'refused' && wasNotAsked(answer)) return 'not_received';
  if (answer.type !== 'said') return answer.type;
  return answer.status === 'accepted' ? 'accepted' : 'answered';
}

/** The time that events are matched by: from the last call whose answer contained it. */
function requestedAt({ call }: RequestRecord, { attempt, answer }: Answered): { requestedAt?: number } {
  const said = answer.type === 'said' ? answer.requestedAt : undefined;
  const isLast = attempt === call.attempts || call.requestedAt === undefined;
  return said !== undefined && isLast ? { requestedAt: said } : {};
}

/** Whether an answer may change the state, as far as the transition table allows. */
function isNews(record: RequestRecord, { attempt, answer }: Answered): boolean {
  switch (answer.type) {
    case 'said':
      return !isOlderThanKnown(record, answer, attempt);
    case 'refused':
      // The refusal of an earlier call decides nothing while another call is in doubt.
      return attempt === record.call.attempts || !mayHaveReceived(record);
    case 'not_received':
      return record.state === 'calling' || !mayHaveReceived(record);
    case 'no_answer':
      return true;
  }
}

/**
 * Whether something newer than the answer is known: a later call has been answered or, because the service answers when
 * it accepts a request, an event about it has been applied. An immediate cancellation or sending is never taken back
 * (events.md, "Body": only a decision of the review is), and what one call has done no answer to another one undoes.
 */
function isOlderThanKnown(record: RequestRecord, said: Said, attempt: number): boolean {
  const { state } = record;
  if (said.status === 'canceled' || said.status === 'sent') return false;
  const { cause } = currentStep(record);
  const isOfEarlierCall = cause.type === 'answer' && cause.attempt < attempt;
  const { outcome } = STATES[state];
  if (isOfEarlierCall && outcome === 'done') return true;
  if (said.status === 'pending' || said.status === 'accepted') {
    if (state === 'under_review') return isOlderThanApplied(record, said, attempt);
    return outcome !== undefined && !isOfEarlierCall;
  }
  const isSuperseded =
    outcomeSaid(said.status) !== 'done' &&
    callsAfter(record, attempt).some(({ callResult }) => callResult === 'answered');
  return (
    isSuperseded || isOlderThanApplied(record, said, attempt) || isOlderThanWaiting(record, said, attempt)
  );
}

/**
 * Whether an event that was applied is newer than the answer. One from before the call is older, whatever its time. An event that
 * did not count, because of what a person recorded, has no step: `last` shows it.
 */
function isOlderThanApplied(record: RequestRecord, { requestedAt = 0 }: Said, attempt: number): boolean {
  const call = callOf(record, attempt);
  const { hasUntimed, last } = record.appliedEvents;
  if (!call || !(hasEventSince(record, call) || (last?.arrivedAt ?? 0) > call.at)) return false;
  if (hasUntimed) return true;
  return last !== undefined && bounded(last.updatedAt, last.arrivedAt) >= bounded(requestedAt, call.at);
}

/**
 * An event that came while a later call was under way is applied after all answers, and may be newer than a late one. It may
 * also be about another request for the same order, or say only that this one was created.
 */
function isOlderThanWaiting(record: RequestRecord, { requestedAt = 0 }: Said, attempt: number): boolean {
  const call = callOf(record, attempt);
  if (!call || attempt === record.call.attempts) return false;
  return record.bufferedEvents.some((event) => {
    const { topic, updatedAt, arrivedAt } = event;
    if (topic === 'created' || updatedAt === undefined || !isOwnEvent(record, event)) return false;
    return bounded(updatedAt, arrivedAt) >= bounded(requestedAt, call.at);
  });
}
