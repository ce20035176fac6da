/** Applies the answer to a call that a failover has undone, together with its step and its claim. */
import type { Answer } from '../model/cause.ts';
import { heardIn } from '../model/events-and-calls.ts';
import type { Call, RequestRecord, Step } from '../model/record.ts';
import { outcomeSaid, STATES } from '../model/states.ts';
import { isPossiblyReceivedCall } from '../model/summary.ts';
import { type Applied, applyAnswer, applyCallResult, type CallContext, NO_ANSWER } from './apply-call.ts';

/**
 * Applies the answer. The call gets its step again if `isNewsOfUndone`. Otherwise, if it may have been received, it is only
 * remembered, and what the service said still applies.
 */
export function applyUndoneAnswer(
  record: RequestRecord,
  answer: Answer,
  attempt: number,
  context: CallContext,
): Applied {
  const { startedAt } = context.claim;
  const call: Call = { at: startedAt, ...(answer.type === 'said' && { heard: heardIn(answer) }) };
  const news = isOutdated(record, answer, startedAt) ? NO_ANSWER : answer;
  if (isNewsOfUndone(record, news)) return applyAnswer(withUndoneCall(record, call), news, attempt, context);
  if (answer.type === 'refused' || answer.type === 'not_received') return { record };
  const known = withCallWithoutStep(record, call);
  return news.type === 'said' ? applyCallResult(known, news, NO_STEP, context.now) : { record: known };
}

/**
 * Whether an answer says nothing about the request as a whole: the undone call was denied, or is under review, and a later call
 * may have been received. A later call that is under way does not count, because its result will tell of both.
 *
 * @param at when the undone call began
 */
function isOutdated({ state, steps }: RequestRecord, answer: Answer, at: number): boolean {
  if (answer.type !== 'said' || outcomeSaid(answer.status) === 'done') return false;
  const ended = state === 'calling' ? steps.slice(0, -1) : steps;
  return ended.some((step) => isPossiblyReceivedCall(step) && step.at > at);
}

/** Whether an undone call gets its step again because of its answer. An unknown outcome is news, too. */
function isNewsOfUndone({ state }: RequestRecord, { type }: Answer): boolean {
  if (type === 'not_received') return false;
  if (type === 'refused') return state === 'queued';
  const { beforeCall, again } = STATES[state];
  return beforeCall || again || state === 'calling' || state === 'unknown';
}

/**
 * Adds the step of an undone call. It becomes the last call, so that its answer is told, unless another process is making a call:
 * that one stays the last, and its result will tell of both.
 */
function withUndoneCall(record: RequestRecord, { at, heard }: Call): RequestRecord {
  const { steps, call } = record;
  const end = record.state === 'calling' ? steps.length - 1 : steps.length;
  const begun: Step = { n: end + 1, state: 'calling', at, heard, cause: { type: 'call_begun' } };
  const later = steps.slice(end).map((step) => ({ ...step, n: step.n + 1 }));
  return {
    ...record,
    steps: [...steps.slice(0, end), begun, ...later],
    call: { ...call, attempts: call.attempts + 1 },
    state: 'calling',
    holdsSlot: true,
  };
}

/** Remembers an undone call without a step, because events may be about it. The request goes on without the call. */
const withCallWithoutStep = (record: RequestRecord, undone: Call): RequestRecord => ({
  ...record,
  call: { ...record.call, undone: [...(record.call.undone ?? []), undone] },
});

/** The number of a call without a step. Calls with a step are numbered from 1. */
const NO_STEP = 0;
