/** How a request stands, in short: its state and what a name for it must not hide. */
import { z } from 'zod';
import { isAccepted } from '../cause.ts';
import type { RequestRecord, Step } from '../record.ts';
import { STATE_NAMES } from '../states.ts';
import { isRecorded } from './correction.ts';
import { refusalAt } from './refusal.ts';

export const Standing = z.object({
  state: z.enum(STATE_NAMES),
  /**
   * `waiting`: queued after a call that was not received. `accepted`: under review, as far as anybody knows: the service
   * did not say so. `not_received`: failed without a refusal. `not_asked`: failed before the service could be asked.
   */
  how: z.enum(['waiting', 'accepted', 'not_received', 'not_asked']).optional(),
  /** The person who recorded the outcome, which is not the service's word then. */
  recordedBy: z.string().optional(),
});
export type Standing = z.infer<typeof Standing>;

/** How a request stands now. */
export function standingOf(record: RequestRecord): Standing {
  const { state, call, word, steps } = record;
  if (state === 'queued' && call.waiting) return { state, how: 'waiting' };
  // The newest word of the service is one that means nothing to us.
  if (state === 'under_review' && word !== undefined) return { state, how: 'accepted' };
  return standingAt(record, steps.at(-1) as Step);
}

/** How a request stood as a step began. */
export function standingAt(record: RequestRecord, step: Step): Standing {
  const { state, cause } = step;
  if (isRecorded(step) && cause.type === 'person') return { state, recordedBy: cause.by };
  if (state === 'under_review' && isAccepted(cause)) return { state, how: 'accepted' };
  if (state !== 'failed') return { state };
  const refusal = refusalAt(record, step.n);
  if (!refusal) return { state, how: 'not_received' };
  return refusal.httpStatus === 0 ? { state, how: 'not_asked' } : { state };
}
