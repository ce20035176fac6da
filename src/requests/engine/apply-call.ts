/** Applies the answer to a call to the order service, whenever it arrives. */
import type { Answer, ServiceEvent } from '../model/cause.ts';
import { applyBufferedEvents } from '../model/events.ts';
import {
  bounded,
  callsMeant,
  callsOf,
  heardIn,
  isAnyDone,
  isAt,
  isDeniedBefore,
  isOwnEvent,
} from '../model/events-and-calls.ts';
import {
  type Call,
  type Claim,
  currentStep,
  type Heard,
  type RequestRecord,
  type Step,
} from '../model/record.ts';
import { wasNotAsked } from '../model/refusal.ts';
import { outcomeSaid } from '../model/states.ts';
import {
  isCall,
  isPossiblyReceivedCall,
  isRecordedOutcome,
  mayHaveReceived,
  receiptOf,
} from '../model/summary.ts';
import { decidedStep, transition } from '../model/transition.ts';

/** `unmatched`: events that were buffered during a call, and belong to no call of this request. */
export type Applied = { record: RequestRecord; unmatched?: readonly ServiceEvent[] };

type Said = Extract<Answer, { type: 'said' }>;
type Answered = { attempt: number; answer: Answer };

export const NO_ANSWER: Answer = { type: 'no_answer', why: 'interrupted' };

/** `claim`: of the call. */
export type CallContext = { now: number; claim: Pick<Claim, 'startedAt'> };

/**
 * Applies the answer to a claimed call. A failover may have undone an earlier call of another process, whose step is added later.
 *
 * @param attempt the number under which the call was claimed
 */
export function applyAnswer(
  record: RequestRecord,
  answer: Answer,
  attempt: number,
  { now, claim: { startedAt } }: CallContext,
): Applied {
  return applyCallResult(record, answer, attemptOf(record, { attempt, startedAt }) ?? attempt, now);
}

/**
 * Finds the number of a claimed call. It changes if an earlier call of another process, which a failover had undone, is added.
 *
 * @returns undefined if a failover has undone the call itself
 */
export function attemptOf(
  { steps }: RequestRecord,
  { attempt, startedAt }: { attempt: number; startedAt: number },
): number | undefined {
  const calls = steps.filter(isCall);
  if (calls[attempt - 1]?.at === startedAt) return attempt;
  const index = calls.findIndex(({ at }) => at === startedAt);
  return index === -1 ? undefined : index + 1;
}

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
  if (isKnownRefusal(record, answered)) return { record, unmatched: [] };
  const known = withCallResult(record, answered);
  const waiting = [...known.lateAnswers, { attempt, answer: weakened(known, answer) }];
  // If a later call is under way, it ends soon. Until then not even a cancellation is applied: then one reply says what came of
  // both calls, and no reply corrects another.
  const isLaterCallUnderWay = record.state === 'calling' && !isOfCallUnderWay(record, answered);
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

/** Whether a refusal was applied before: Redis may write a result, and its answer to that be lost. */
const isKnownRefusal = (record: RequestRecord, { attempt, answer }: Answered): boolean =>
  record.state !== 'calling' &&
  answer.type === 'refused' &&
  callOf(record, attempt)?.callResult === 'refused';

/**
 * Weakens the proof that a call was not received, if another call of the same decision, which a failover had undone, may have
 * been received: otherwise the call would be made again (promise 1).
 */
function weakened(record: RequestRecord, answer: Answer): Answer {
  const { n } = decidedStep(record);
  const isInDoubt = record.steps.some((step) => step.n > n && isPossiblyReceivedCall(step));
  return answer.type === 'not_received' && isInDoubt ? NO_ANSWER : answer;
}

/** Whether a call is under way, and this is the answer to it, which always ends it. */
const isOfCallUnderWay = ({ state, call }: RequestRecord, { attempt }: Answered): boolean =>
  state === 'calling' && attempt === call.attempts;

/**
 * Whether an answer may be applied yet: that an earlier call was denied, or is under review, says nothing about a later
 * one that is in doubt. The time of the call under way may be earlier than that of another: the storage's clock may go back.
 */
function mayApplyYet(record: RequestRecord, answered: Answered): boolean {
  const { attempt, answer } = answered;
  if (isOfCallUnderWay(record, answered)) return true;
  if (answer.type !== 'said' || outcomeSaid(answer.status) === 'done') return true;
  return callsAfter(record, attempt).every(
    ({ callResult }) => callResult !== undefined && callResult !== 'accepted',
  );
}

/** The calls made after call number `attempt`. One that a failover had undone may have a higher number than a later call. */
function callsAfter(record: RequestRecord, attempt: number): Step[] {
  const { at = Number.POSITIVE_INFINITY } = callOf(record, attempt) ?? {};
  return record.steps.filter(isCall).filter((call, i) => call.at > at || (call.at === at && i >= attempt));
}

const callOf = ({ steps }: RequestRecord, attempt: number): Step | undefined =>
  steps.filter(isCall)[attempt - 1];

/** Marks the answered call with its result, whatever else the answer changes. */
function withCallResult(before: RequestRecord, { attempt, answer }: Answered): RequestRecord {
  if (answer.type === 'no_answer') return before;
  const callResult = callResultOf(answer);
  const record = answer.type === 'said' ? withHeardMoved(before, answer, attempt) : before;
  const begun = callOf(record, attempt);
  if (!begun) return record;
  const heard = answer.type === 'said' ? heardAfter(record, answer, attempt) : begun.heard;
  const steps = record.steps.map((step) => (step === begun ? { ...step, callResult, heard } : step));
  const marked = { ...record, steps };
  // The card tells whether the request may have been received.
  const isSeen = record.state !== 'calling' && receiptOf(marked) !== receiptOf(record);
  return isSeen ? { ...marked, revision: record.revision + 1 } : marked;
}

/**
 * Corrects which call an event was about. While no answer had told the times of the calls, the event was taken to be about the
 * nearest one. If the answer shows that the event's time is that of the answered call, what was heard moves to that call.
 */
function withHeardMoved(record: RequestRecord, { requestedAt }: Said, attempt: number): RequestRecord {
  const begun = callOf(record, attempt);
  const isMistaken = (step: Step) =>
    step !== begun &&
    step.callResult === undefined &&
    requestedAt !== undefined &&
    step.heard?.requestedAt !== undefined &&
    isAt(step.heard.requestedAt, requestedAt);
  const mistaken = record.steps.find(isMistaken);
  if (!begun || !mistaken) return record;
  const heardOf = (step: Step) => (step === begun ? mistaken.heard : undefined);
  const steps = record.steps.map((step) =>
    step === begun || step === mistaken ? { ...step, heard: heardOf(step) } : step,
  );
  return { ...record, steps };
}

/** Returns the words of the service about a call, including its answer. An event that came before the answer may be newer. */
function heardAfter(record: RequestRecord, said: Said, attempt: number): Heard {
  const before = callOf(record, attempt)?.heard;
  const heard = { ...before, ...heardIn(said) };
  return hasNewerEvent(record, said, attempt) ? { ...heard, said: before?.said } : heard;
}

function callResultOf(answer: Exclude<Answer, { type: 'no_answer' }>): NonNullable<Step['callResult']> {
  if (answer.type === 'refused' && wasNotAsked(answer)) return 'not_received';
  if (answer.type !== 'said') return answer.type;
  return answer.status === 'accepted' ? 'accepted' : 'answered';
}

/** Whether an answer may change the state, as far as the transition table allows. */
function isNews(record: RequestRecord, answered: Answered): boolean {
  const { attempt, answer } = answered;
  switch (answer.type) {
    case 'said':
      return isOfCallUnderWay(record, answered) || !isOlderThanKnown(record, answer, attempt);
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
 * Whether something newer than the answer is known: an event about this call or, unless the answer says that the order is
 * cancelled, a word about another one. An immediate cancellation or sending is never taken back (events.md, "Body": only a
 * decision of the review is).
 */
function isOlderThanKnown(record: RequestRecord, said: Said, attempt: number): boolean {
  if (hasNewerEvent(record, said, attempt)) return true;
  if (outcomeSaid(said.status) === 'done') return false;
  const call = callOf(record, attempt);
  const isSuperseded = callsAfter(record, attempt).some(({ heard }) => heard?.said !== undefined);
  if (isSuperseded || isAnyDone(record, { but: call ? [call] : [] })) return true;
  if (call && callsOf(record).some((other) => hasNewerSince(other, said, call))) return true;
  const step = currentStep(record);
  // A person has recorded more than that the service has the request.
  return said.status !== 'denied' && isRecordedOutcome(step);
}

/**
 * Whether an event about the call is newer than its answer. An event that waits in the buffer because a later call was under way
 * counts, too, unless it is about another request for the same order, or says only that this one was created.
 */
function hasNewerEvent(record: RequestRecord, said: Said, attempt: number): boolean {
  const call = callOf(record, attempt);
  if (!call || said.status === 'canceled' || said.status === 'sent') return false;
  const { last, hasUntimed = false } = call.heard ?? {};
  const isOfCall = (event: ServiceEvent) =>
    event.topic !== 'created' && isOwnEvent(record, event) && callsMeant(record, event).includes(call);
  const waiting = attempt === record.call.attempts ? [] : record.bufferedEvents.filter(isOfCall);
  return hasUntimed || [last, ...waiting].some((event) => event && isNewer(event, said, call));
}

/** Whether an event about another call, applied since `call` began, is newer than the answer to `call`. */
function hasNewerSince(other: Call, said: Said, call: Call): boolean {
  const { last } = other.heard ?? {};
  if (!last || isDeniedBefore(other, [call])) return false;
  return (last.arrivedAt ?? 0) > call.at && isNewer(last, said, call);
}

const isNewer = (
  { updatedAt, arrivedAt }: Pick<ServiceEvent, 'updatedAt' | 'arrivedAt'>,
  { requestedAt = 0 }: Said,
  { at }: Call,
): boolean => updatedAt !== undefined && bounded(updatedAt, arrivedAt) >= bounded(requestedAt, at);
