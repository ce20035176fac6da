/** The answers to a submitted request, and what has to be the case for each of the refusals. */
import type { KINDS } from '../../support/seen-requests.ts';
import type { Why } from '../spans.ts';

/** The request is stored, now or by an earlier try of the same form. */
export const STORED: ReadonlySet<string> = new Set(['created', 'already_submitted']);

/**
 * The reasons, one of which each refusal needs. A refusal without any here is wrong, unless something else explains it:
 * `too_few_approvers`, `settings_changed` and `over_limit` in checks/owed/submissions.ts, `not_allowed` in checks/who-may.ts.
 */
export const REFUSED_FOR: Readonly<Record<string, readonly Why[]>> = {
  not_connected: ['disconnected', 'uninstalled'],
  // A disconnection or an uninstall revokes the token first, and may be interrupted there.
  token_refused: ['token revoked', 'unauthorized', 'dead token', 'disconnected', 'uninstalled'],
  connection_unreadable: [],
  invalid: ['archived', 'shared', 'uninstalled'],
  no_posting: ['uninstalled'],
  settings_changed: [],
  paused: ['paused'],
  fault: ['uninstalled'],
};

/** Refusals that need an earlier request for the same order or offer. */
export const REFUSED_FOR_ANOTHER: ReadonlySet<string> = new Set([
  'slot_taken',
  'done_before',
  'maybe_done_before',
]);

/** The states of an earlier request for the same that make another one pointless, so that its form warns first. */
export const DONE_BY: Readonly<Record<keyof typeof KINDS, ReadonlySet<string>>> = {
  cancel_order: new Set(['approved', 'canceled', 'already_canceled']),
  send_offer: new Set(['sent', 'canceled']),
  cancel_offer: new Set(['canceled']),
};

/** Stands on the card of a request that the service refused, and that somebody made though an earlier one had done it already. */
export const BLAMES_EARLIER_REQUEST =
  /When this was (?:requested, an earlier|sent again, another) request said that/;

/** Codes and statuses with which the service refuses the same call again: nobody is offered to retry it. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'OFFER_NOT_FOUND',
  'OFFER_CANCELLATION_ERROR',
]);
const FINAL_STATUSES: ReadonlySet<number> = new Set([0, 400, 404, 405, 410, 411, 413, 414, 415, 422]);

type RefusalOfService = { code?: string | undefined; httpStatus: number };

export const isFinal = (refusal: RefusalOfService): boolean =>
  !isAboutToken(refusal) && (FINAL_CODES.has(refusal.code ?? '') || FINAL_STATUSES.has(refusal.httpStatus));

/** Whether a refusal is about the token, so that it says nothing about the order or offer. */
export const isAboutToken = ({ code, httpStatus }: RefusalOfService): boolean =>
  httpStatus === 401 || code === 'FORBIDDEN';
