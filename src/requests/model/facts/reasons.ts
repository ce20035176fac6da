/**
 * What people of another company must not read of a request: why it was asked for, why it was denied, and what the order
 * service said when it refused it, which may quote the reason. Pure.
 */
import type { RequestRecord, Step } from '../record.ts';

/** The record as it is shown where its reasons must not be read. */
export function withoutReasons(record: RequestRecord): RequestRecord {
  const shown = { ...record, reason: '', steps: record.steps.map(withoutWords) };
  const { approval } = record;
  if (!approval?.decision?.reason) return shown;
  const { reason: _untold, ...decision } = approval.decision;
  return { ...shown, approval: { ...approval, decision: { ...decision, withheld: true } } };
}

/** The record as the channel of its card may read it. */
export function asChannelReads(record: RequestRecord): RequestRecord {
  return record.inSharedChannel ? withoutReasons(record) : record;
}

function withoutWords(step: Step): Step {
  const { cause } = step;
  if (cause.type !== 'answer' || cause.answer.type !== 'refused') return step;
  const { message, details, ...answer } = cause.answer;
  if (message === undefined && details.length === 0) return step;
  return { ...step, cause: { ...cause, answer: { ...answer, details: [], withheld: true } } };
}
