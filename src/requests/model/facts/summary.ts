/** Summarizes the status of a request: its state, and the details that the state's name hides. */
import type { Summary } from '../approvals/approval.ts';
import { isAccepted } from '../cause.ts';
import type { RequestRecord, Step } from '../record.ts';
import { isRecorded } from './correction.ts';
import { refusalAt } from './refusal.ts';

/** The current status of a request. */
export function summarize(record: RequestRecord): Summary {
  const { state, word, steps } = record;
  // The newest word of the service is one that the interface does not list.
  if (state === 'under_review' && word !== undefined) return { state, how: 'accepted' };
  return summarizeAt(record, steps.at(-1) as Step);
}

/** The status of a request at the start of a step. */
export function summarizeAt(record: RequestRecord, step: Step): Summary {
  const { state, cause } = step;
  if (isRecorded(step) && cause.type === 'person') return { state, recordedBy: cause.by };
  if (state === 'under_review' && isAccepted(cause)) return { state, how: 'accepted' };
  if (state !== 'failed') return { state };
  if (cause.type === 'person') return { state, how: 'not_received', recordedBy: cause.by };
  const refusal = refusalAt(record, step.n);
  if (!refusal) return { state, how: 'not_received' };
  return refusal.httpStatus === 0 ? { state, how: 'not_asked' } : { state };
}
