/**
 * Decides whether the order service may have received a request, for states and for sentences alike. It looks at the
 * calls, each of which is a step, and at their results.
 */
import type { RequestRecord, Step } from './record.ts';

/**
 * `none`: no call has reached the service. `refused`: the service read and refused each call that reached it.
 * `possible`: a call may have been received, and its result is unknown. `certain`: the service has confirmed the
 * request.
 */
type Receipt = 'none' | 'refused' | 'possible' | 'certain';

/** @param before the number of a step: only calls begun before it count, for a sentence about that step */
export function receiptOf({ steps }: RequestRecord, before: number = Number.POSITIVE_INFINITY): Receipt {
  const earlier = steps.filter(({ n }) => n < before);
  const calls = earlier.filter(isCall);
  if (earlier.some(isWordOfService) || calls.some(wasReceived)) return 'certain';
  if (calls.some(mayBeReceived)) return 'possible';
  return calls.some(({ callResult }) => callResult === 'refused') ? 'refused' : 'none';
}

/** Whether a call may have been received, of those begun before a step or of all. */
export function mayHaveReceived(record: RequestRecord, before?: number): boolean {
  const receipt = receiptOf(record, before);
  return receipt === 'possible' || receipt === 'certain';
}

/**
 * The start of the first call that the service received or may have received, epoch milliseconds; undefined if there is
 * none.
 */
export function receivedAt({ steps }: RequestRecord): number | undefined {
  return steps.find(isPossiblyReceivedCall)?.at;
}

export const isCall = ({ state }: Step): boolean => state === 'calling';

const wasReceived = ({ callResult }: Step) => callResult === 'answered' || callResult === 'accepted';

/** A call whose result is not certain counts as possibly received. */
const mayBeReceived = (step: Step) => step.callResult === undefined || wasReceived(step);

export const isPossiblyReceivedCall = (step: Step): boolean => isCall(step) && mayBeReceived(step);

/**
 * Whether the step comes from the service's word. An event is given to a request only if it is about one of its calls
 * (match.ts).
 */
export const isWordOfService = ({ cause }: Step): boolean =>
  cause.type === 'event' || (cause.type === 'answer' && cause.answer.type === 'said');
