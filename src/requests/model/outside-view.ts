/** Removes from a record what people of another company, who read a shared channel, must not see. */
import type { RequestRecord, Step } from './record.ts';

/**
 * Returns the record without the reason for the request, the reason for declining it, and the order service's words about a
 * failure, which may quote the reason.
 */
export function withoutReasons(record: RequestRecord): RequestRecord {
  const shown = { ...record, reason: '', steps: record.steps.map(withoutWords) };
  const { approval } = record;
  if (!approval?.decision?.reason) return shown;
  const { reason: _untold, ...decision } = approval.decision;
  return { ...shown, approval: { ...approval, decision: { ...decision, withheld: true } } };
}

/** Returns the record as people of another company may see it: without reasons, and without what stands in other channels. */
export function asOthersRead(record: RequestRecord): RequestRecord {
  const { message: _, approval, repeats, ...shown } = withoutReasons(record);
  return {
    ...shown,
    ...(approval && { approval: { ...approval, earlier: [] } }),
    ...(repeats && { repeats: { kind: repeats.kind } }),
  };
}

/** Returns the record as readers of the card's channel may see it. */
export const asChannelReads = (record: RequestRecord): RequestRecord =>
  record.inSharedChannel ? asOthersRead(record) : record;

/** Whether the record holds a reason besides the requester's own: why it was declined, or words about a failure. */
export const holdsOtherReasons = ({ approval, steps }: RequestRecord): boolean =>
  approval?.decision?.reason !== undefined || steps.some((step) => withoutWords(step) !== step);

function withoutWords(step: Step): Step {
  const { cause } = step;
  if (cause.type !== 'answer' || !('details' in cause.answer || 'message' in cause.answer)) return step;
  const { message, details = [], ...answer } = cause.answer;
  if (message === undefined && details.length === 0) return step;
  return { ...step, cause: { ...cause, answer: { ...answer, details: [], withheld: true } } };
}
