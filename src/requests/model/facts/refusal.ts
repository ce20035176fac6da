/** Tells whether the very same call can succeed after the order service has refused it. */
import type { Answer } from '../cause.ts';
import type { RequestRecord } from '../record.ts';

export type Refusal = Extract<Answer, { type: 'refused' }>;

/**
 * Codes of the interface (section 7) with which the same call fails again. `VALIDATION_ERROR` is about the id and the
 * reason, and `OFFER_NOT_FOUND` about the id: both stay as they are. `OFFER_CANCELLATION_ERROR` is about the status of
 * the offer, which the service does not set back. Not among them are `UNAUTHORIZED` and `FORBIDDEN`: an admin can
 * connect another token.
 */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'OFFER_NOT_FOUND',
  'OFFER_CANCELLATION_ERROR',
]);

/**
 * Statuses that say the same where there is no code, or one that the interface does not list: what was asked for, its
 * method, its size or its type is at fault (RFC 9110, section 15.5). 0 is our own: nothing was sent, since the id
 * cannot be part of an address.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([0, 400, 404, 405, 410, 411, 413, 414, 415, 422]);

export function canSucceedAgain({ code, httpStatus }: Refusal): boolean {
  return !(code !== undefined && FINAL_CODES.has(code)) && !FINAL_STATUSES.has(httpStatus);
}

/** The refusal of the newest call that was refused before a step, or in it; undefined where none was. */
export function refusalAt({ steps }: RequestRecord, n: number): Refusal | undefined {
  const refused = steps.flatMap(({ n: at, cause }) =>
    at <= n && cause.type === 'answer' && cause.answer.type === 'refused'
      ? [{ attempt: cause.attempt, answer: cause.answer }]
      : [],
  );
  return refused.reduce<(typeof refused)[number] | undefined>(
    (newest, each) => (newest && newest.attempt > each.attempt ? newest : each),
    undefined,
  )?.answer;
}
