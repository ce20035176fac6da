/** Applies the end of a claim whose owner is gone. */
import type { Timings } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { applyCallResult } from './apply-call.ts';
import { applyPosting } from './apply-posting.ts';
import { applyLateUpdate } from './apply-update.ts';

/**
 * Handles an expired claim: its owner is gone, and its progress is unknown. A call becomes `unknown`, a post doubtful;
 * an update is owed again; a search or a tidy is simply repeated.
 */
export function applyExpiredClaim(record: RequestRecord, claim: Claim, timings: Timings, now: number) {
  const { claim: _gone, ...free } = record;
  if (claim.effect === 'call')
    return applyCallResult(free, { type: 'no_answer', why: 'interrupted' }, claim.attempt, now);
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  // The request was written in the first half of the claim or never, so Slack has had time to show it.
  const context = { claim, timings, now: claim.startedAt, rendered: 0 };
  const { expiresAt: until } = claim;
  if (claim.effect === 'post')
    return { record: applyPosting(free, claim.messageKey, interrupted, context, until), unmatched: [] };
  if (claim.effect === 'update')
    return {
      record: applyLateUpdate(free, claim.messageKey, interrupted, { ...context, now: until }),
      unmatched: [],
    };
  return { record: free, unmatched: [] };
}
