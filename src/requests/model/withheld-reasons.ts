/**
 * Removes what people of another company must not read: the reason for a request, the reason for declining it, and the order
 * service's words about a failure, which may quote the reason.
 */
import type { RequestRecord, Step } from './record.ts';

/** Returns the record without its reasons. */
export function withoutReasons(record: RequestRecord): RequestRecord {
  const shown = { ...record, reason: '', steps: record.steps.map(withoutWords) };
  const { approval } = record;
  if (!approval?.decision?.reason) return shown;
  const { reason: _untold, ...decision } = approval.decision;
  return { ...shown, approval: { ...approval, decision: { ...decision, withheld: true } } };
}

/** Returns the record as readers of the card's channel may see it. */
export function asChannelReads(record: RequestRecord): RequestRecord {
  return record.inSharedChannel ? withoutReasons(record) : record;
}

/** Whether the record holds a reason besides the requester's own: why it was declined, or words about a failure. */
export function holdsOtherReasons({ approval, steps }: RequestRecord): boolean {
  return approval?.decision?.reason !== undefined || steps.some((step) => withoutWords(step) !== step);
}

function withoutWords(step: Step): Step {
  const { cause } = step;
  if (cause.type !== 'answer' || !('details' in cause.answer || 'message' in cause.answer)) return step;
  const { message, details = [], ...answer } = cause.answer;
  if (message === undefined && details.length === 0) return step;
  return { ...step, cause: { ...cause, answer: { ...answer, details: [], withheld: true } } };
}
