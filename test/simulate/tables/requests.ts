/** Other texts that people see about a request, and the limits that they are told: written by hand from the documents. */
import { KINDS } from '../../support/seen-requests.ts';

/** The words of the reply about an unknown outcome if the refusal of the last call says nothing of an earlier one. */
export const NAMES_EARLIER_CALL = /an earlier call may have been received/;

/**
 * Refusals that say that the id or the reason is wrong. If nobody had approved the request, the requester alone reads of
 * it, and the card is one line.
 */
export const MISTAKES: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'OFFER_NOT_FOUND']);

/** A request that can't be sent expires after this. */
export const QUEUE_EXPIRES_AFTER_MS = 15 * 60_000;

/** The words of a message that say until when approval is awaited, in seconds since the epoch. */
export const EXPIRES = /Expires <!date\^(\d+)\^/g;

/** The states in which a request can be withdrawn: nothing is on its way. */
export const WITHDRAWABLE: ReadonlySet<string> = new Set(['awaiting_approval', 'queued']);

/** The acts that end a request for good: it is not sent after that. */
export const ENDS_IT: ReadonlySet<string> = new Set(['withdraw', 'release']);

/** The reply that says who sends a request, for the first time or again; and who wants it sent, if it first needs approval. */
export const SENT_BY = /asked for (it|the request) to be sent/;
export const WANTED_BY =
  /^<@\w+> (recorded that the request was not received, and )?wants to send (the request|it)( again)?, and it needs approval/;

/** The reply of a request that was approved, before its outcome is told. */
export const APPROVED = /^Approved by .+ needs no further approval/;

/** The order or offer that only one open request may be about; ids that differ in case may name the same one. */
export const slotOf = (workspace: string, kind: keyof typeof KINDS, target: string): string =>
  `${workspace} ${KINDS[kind].about} ${target.toLowerCase()}`;

/** The most events that wait in one request (../../../docs/reliability.md). */
export const MOST_BUFFERED = 50;

/** The number of replies about words of the service that are posted one by one. The next reply is kept up to date. */
export const REPLIES_ONE_BY_ONE = 20;

/** The words of a reply that stands for several changes of the service, with their number. */
export const STANDS_FOR = / changed its answer (once|twice|[\d,]+ times) before I could post this/;
export const SUMS_UP = / has changed its answer (once|twice|[\d,]+ times)\. I keep this reply up to date/;

/** The service compares moments with this tolerance (../../../docs/reliability.md); events carry no id of a request. */
export const SAME_MOMENT_MS = 2_000;
