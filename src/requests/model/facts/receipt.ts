/**
 * Whether the order service may have received a request: the one judge of that, for states and for sentences. It goes
 * by the calls, each a step, and by what came of them.
 */
import type { RequestRecord, Step } from '../record.ts';

/**
 * `none`: no call has reached the service. `refused`: it read and refused each call that reached it. `possible`: a call
 * may have been received, and nobody knows what came of it. `certain`: the service has said that it has the request.
 */
export type Receipt = 'none' | 'refused' | 'possible' | 'certain';

/** @param before the number of a step, for a sentence about it: only the calls that were begun before it count */
export function receiptOf({ steps }: RequestRecord, before: number = Number.POSITIVE_INFINITY): Receipt {
  const earlier = steps.filter(({ n }) => n < before);
  const calls = earlier.filter(isCall);
  if (earlier.some(isWordOfService) || calls.some(wasReceived)) return 'certain';
  if (calls.some(mayBeReceived)) return 'possible';
  return calls.some(({ came }) => came === 'refused') ? 'refused' : 'none';
}

/** Whether a call may have been received that was begun before a step, or any at all. */
export function mayHaveReceived(record: RequestRecord, before?: number): boolean {
  const receipt = receiptOf(record, before);
  return receipt === 'possible' || receipt === 'certain';
}

/** When the first call was begun that the service received, or may have; epoch milliseconds. Undefined where there is none. */
export function receivedAt({ steps }: RequestRecord): number | undefined {
  return steps.find((step) => isCall(step) && mayBeReceived(step))?.at;
}

const isCall = ({ state }: Step) => state === 'calling';

const wasReceived = ({ came }: Step) => came === 'answered' || came === 'accepted';

/** As long as nothing certain is known of a call. */
const mayBeReceived = (step: Step) => step.came === undefined || wasReceived(step);

/** An event is given to a request only if it is about a call of it (match.ts). */
export const isWordOfService = ({ cause }: Step): boolean =>
  cause.type === 'event' || (cause.type === 'answer' && cause.answer.type === 'said');
