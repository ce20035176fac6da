/** Writes down what came of a call to the order service, whenever its answer comes. Pure. */
import type { Answer, ServiceEvent } from '../model/cause.ts';
import { applyHeld } from '../model/events/apply-event.ts';
import { mayHaveReceived, receiptOf } from '../model/facts/receipt.ts';
import { currentStep, type RequestRecord, type Step } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import { transition } from '../model/transition.ts';

type Said = Extract<Answer, { type: 'said' }>;
type Answered = { attempt: number; answer: Answer };

/**
 * After call number `attempt`, in time or late: its claim may have expired, and a person may have had it sent again
 * since. What a late answer says applies, unless something newer is known; that an earlier call was refused or not
 * received undoes nothing, and is remembered.
 *
 * Events that came during the call are applied after the answer; those that belong elsewhere are left in `strays`.
 */
export function settleCall(
  record: RequestRecord,
  answer: Answer,
  attempt: number,
  now: number,
): { record: RequestRecord; strays: ServiceEvent[] } {
  const answered = { attempt, answer };
  const known = withReceipt(record, answered);
  const waiting = [...known.lateAnswers, answered];
  const isUnderWay = record.state === 'calling' && attempt !== record.call.attempts;
  const applies = (each: Answered) => !isUnderWay && isRipe(known, each);
  const kept = waiting.filter((each) => !applies(each) && each.answer.type === 'said');
  const settled = waiting
    .filter(applies)
    .reduce<RequestRecord>((next, each) => applyAnswer(next, each, now), { ...known, lateAnswers: kept });
  return settled.state === 'calling' ? { record: settled, strays: [] } : applyHeld(settled, now);
}

/** That an earlier call was denied says nothing of a later one, as long as nobody knows what became of that one. */
function isRipe(record: RequestRecord, { attempt, answer }: Answered): boolean {
  const isDenial = answer.type === 'said' && answer.status === 'denied';
  return (
    !isDenial || callsAfter(record, attempt).every(({ came }) => came !== undefined && came !== 'accepted')
  );
}

const callsAfter = ({ steps }: RequestRecord, attempt: number): Step[] =>
  steps.filter(({ state }) => state === 'calling').slice(attempt);

/** The record with what the answer tells of its own call, whatever else it changes. */
function withReceipt(record: RequestRecord, { attempt, answer }: Answered): RequestRecord {
  if (answer.type === 'no_answer') return record;
  const came = cameOf(answer);
  const begun = record.steps.filter(({ state }) => state === 'calling')[attempt - 1];
  const steps = record.steps.map((step) => (step === begun ? { ...step, came } : step));
  const marked = { ...record, steps, call: { ...record.call, ...requestedAt(record, { attempt, answer }) } };
  const isSeen = record.state !== 'calling' && receiptOf(marked) !== receiptOf(record);
  return isSeen ? { ...marked, revision: record.revision + 1 } : marked;
}

function cameOf(answer: Exclude<Answer, { type: 'no_answer' }>): NonNullable<Step['came']> {
  // Status 0 is our own: an id that can't be part of an address is not sent.
  if (answer.type === 'refused' && answer.httpStatus === 0) return 'not_received';
  if (answer.type !== 'said') return answer.type;
  return answer.status === 'accepted' ? 'accepted' : 'answered';
}

/** The time that events are matched by: that of the last call whose answer has told it. */
function requestedAt({ call }: RequestRecord, { attempt, answer }: Answered): { requestedAt?: number } {
  const said = answer.type === 'said' ? answer.requestedAt : undefined;
  const isLast = attempt === call.attempts || call.requestedAt === undefined;
  return said !== undefined && isLast ? { requestedAt: said } : {};
}

const isOfEarlierCall = ({ cause }: Step, attempt: number): boolean =>
  cause.type === 'answer' && cause.attempt < attempt;

function applyAnswer(record: RequestRecord, answered: Answered, now: number): RequestRecord {
  if (!isNews(record, answered)) return record;
  return transition(record, { type: 'answer', ...answered }, now) ?? record;
}

/** Whether an answer may change the state, as far as the transition table lets it. */
function isNews(record: RequestRecord, { attempt, answer }: Answered): boolean {
  switch (answer.type) {
    case 'said':
      return !isOutdated(record, answer, attempt);
    case 'refused':
      // Of an earlier call it decides nothing as long as another one is in doubt.
      return attempt === record.call.attempts || !mayHaveReceived(record);
    case 'not_received':
      return record.state === 'calling' || !mayHaveReceived(record);
    case 'no_answer':
      return true;
  }
}

/**
 * Whether something newer is known than what an answer says: a later call has been answered or, since the service
 * answers as it takes a request, an event about it has been applied. That something was cancelled or sent at once is
 * never taken back (events.md, "Body": only a decision of the review is).
 */
function isOutdated(record: RequestRecord, said: Said, attempt: number): boolean {
  const { state } = record;
  if (said.status === 'canceled' || said.status === 'sent') return false;
  if (said.status === 'pending' || said.status === 'accepted') {
    if (state === 'under_review') return isOlderThanHeard(record, said);
    return STATES[state].outcome !== undefined && !isOfEarlierCall(currentStep(record), attempt);
  }
  const isSuperseded = callsAfter(record, attempt).some(({ came }) => came === 'answered');
  return isSuperseded || isOlderThanHeard(record, said);
}

function isOlderThanHeard({ heard }: RequestRecord, { requestedAt = 0 }: Said): boolean {
  if (heard.digests.length > 0) return true;
  return heard.last !== undefined && heard.last.updatedAt >= requestedAt;
}
