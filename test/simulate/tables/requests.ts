/**
 * Describes a request as people see it from outside: written by hand from the documents, and never read from src, so that
 * a rule that is lost there is missed here. A new kind or state needs its row.
 */

/** Kinds of requests: what each is about, and how its deed is named at the head of its card. */
export const KINDS = {
  cancel_order: { about: 'order', deed: 'Cancel order' },
  send_offer: { about: 'offer', deed: 'Send offer' },
  cancel_offer: { about: 'offer', deed: 'Cancel offer' },
} as const;

type Row = {
  /** Whether an open request keeps others off its order or offer. */
  isOpen: boolean;
  /** Whether it is on its way, so that no play may end in this state. */
  isWaiting: boolean;
  /** Whether approvers may vote. */
  votes: boolean;
  /** The label of the card. */
  label: RegExp;
  /** A button that the card must have; undefined: none. */
  button?: RegExp;
  /** The text of the reply on entering the state; undefined: none is owed. A decision to approve is told by `APPROVED`. */
  reply?: RegExp;
};

const OPEN = { isOpen: true, isWaiting: false, votes: false };
const ON_ITS_WAY = { isOpen: true, isWaiting: true, votes: false };
const ENDED = { isOpen: false, isWaiting: false, votes: false };

export const STATES: Readonly<Record<string, Row>> = {
  awaiting_approval: { ...ON_ITS_WAY, votes: true, label: /^Awaiting approval/, button: /^Withdraw$/ },
  queued: { ...ON_ITS_WAY, label: /^Queued/, button: /^Withdraw$/ },
  calling: { ...ON_ITS_WAY, label: /^Being sent/ },
  under_review: {
    ...OPEN,
    label: /^(In review|Accepted)/,
    button: /^(Record|Correct) the outcome$/,
    reply:
      /reviewing it|is reviewing the request|under review again|accepted the request, but its (answer|event) does not say/,
  },
  unknown: {
    ...OPEN,
    label: /^Outcome unknown/,
    button: /^Record the outcome$/,
    // A refusal, too: told late, once it is known that the earlier call was not received either.
    reply:
      /did not answer in time|failed while it worked|gave up on the request|with a redirect|cannot be read|was lost before it answered|was interrupted while it waited|No answer is known|an earlier call may have been received|service refused the request/,
  },
  canceled: { ...ENDED, label: /^Cancelled/, reply: /is cancelled: / },
  approved: {
    ...ENDED,
    label: /^Cancelled/,
    reply: /is cancelled: |cancelled the order after a review, but/,
  },
  denied: {
    ...ENDED,
    label: /^Not cancelled/,
    reply: /is not cancelled: |decided against it after a review, but/,
  },
  sent: { ...ENDED, label: /^Sent/, reply: /is sent to the customer: / },
  failed: {
    ...ENDED,
    label: /^(Refused by the order service|Not received|Not sent)/,
    reply: /is not (cancelled|sent)[^.]* by this request|recorded that the order service did not receive/,
  },
  declined: {
    ...ENDED,
    label: /^Declined/,
    reply: /declined the request, and (nothing was sent|it was not sent again)/,
  },
  withdrawn: {
    ...ENDED,
    label: /^Withdrawn/,
    reply: /withdrew the request, and (nothing was sent|it was not sent again)/,
  },
  already_canceled: { ...ENDED, label: /^Cancelled/, reply: /is already cancelled: / },
  expired: {
    ...ENDED,
    label: /^Expired/,
    reply: /was not approved in time|could not be sent( again)? in time/,
  },
  not_sent: {
    ...ENDED,
    label: /^Stopped/,
    reply: /I could not post your request|was removed before the request|can no longer see your request/,
  },
  closed: { ...ENDED, label: /^Closed/, reply: /closed this request without an outcome/ },
};

/** The words of the reply of an unknown outcome that say that the refusal of the last call decides nothing. */
export const BLAMES_EARLIER_CALL = /an earlier call may have been received, and may be the reason/;

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

/** The reply that says who sends a request, for the first time or again, and who wants it sent again, which needs approval. */
export const SENT_BY = /is sending (it|the request) to the order service/;
export const WANTED_BY = /^<@\w+> wants to send the request( again)?, and it needs approval/;

/** The reply of a request that was approved, before its outcome is told. */
export const APPROVED = /^Approved by .+ on its way to the order service/;

/** The order or offer that only one open request may be about; ids that differ in case may name the same one. */
export const slotOf = (workspace: string, kind: keyof typeof KINDS, target: string): string =>
  `${workspace} ${KINDS[kind].about} ${target.toLowerCase()}`;

/** The most events that wait in one request (../../../docs/reliability.md). */
export const MOST_BUFFERED = 50;

/** The replies about words of the service that are posted one by one. The next one is kept up to date. */
export const REPLIES_ONE_BY_ONE = 20;

/** The words of a reply that stands for several changes of the service, with their number. */
export const STANDS_FOR = / changed its answer (once|twice|[\d,]+ times) before I could post this/;
export const SUMS_UP = / has changed its answer (once|twice|[\d,]+ times)\. I keep this reply up to date/;

/** The service compares moments with this tolerance (../../../docs/reliability.md); events carry no id of a request. */
export const SAME_MOMENT_MS = 2_000;
