/**
 * Describes a request as people see it from outside: written by hand from the documents, and never read from src, so that a
 * rule that is lost there is missed here. The simulation judges by it, and tests of each kind go through it. A new kind or
 * state needs its row.
 */

/** The order service's statuses, and what each says of the order or offer: done, not done, or not decided yet. */
export const WORDS = {
  accepted: 'open',
  pending: 'open',
  approved: 'done',
  canceled: 'done',
  sent: 'done',
  denied: 'undone',
} as const;

type Kind = {
  about: 'order' | 'offer';
  command: string;
  /** The title of its form. */
  title: string;
  /** The heading of its card, before the id of the order or offer. */
  deed: string;
  /** What a reply says after the name of the order or offer: that it is done, or not done. */
  done: string;
  undone: string;
  /** The label of the card when it is done, or not done. */
  label: string;
  labelUndone: string;
  /** What the order service did, as a reply says it: "service sent the offer". */
  did: string;
  /** The beginning of the topics of the events about the service's review; undefined: the service never reviews this kind. */
  topic?: string;
  /**
   * The place where the local order service keeps the outcome: among the requests about the order, as the offer's status, or
   * in its answer alone.
   */
  keptIn: 'order' | 'status' | 'answer';
  /** The statuses with which the service may answer the call. */
  words: readonly (keyof typeof WORDS)[];
};

export const KINDS = {
  cancel_order: {
    about: 'order',
    command: '/cancel-order',
    title: 'Cancel an order',
    deed: 'Cancel order',
    done: 'is cancelled',
    undone: 'is not cancelled',
    label: 'Cancelled',
    labelUndone: 'Not cancelled',
    did: 'cancelled the order',
    topic: 'order.cancellationrequest',
    keptIn: 'order',
    words: ['accepted', 'pending', 'approved', 'denied', 'canceled'],
  },
  send_offer: {
    about: 'offer',
    command: '/send-offer',
    title: 'Send an offer',
    deed: 'Send offer',
    done: 'is sent to the customer',
    undone: 'is not sent',
    label: 'Sent',
    labelUndone: 'Not sent',
    did: 'sent the offer',
    keptIn: 'answer',
    words: ['accepted', 'sent'],
  },
  cancel_offer: {
    about: 'offer',
    command: '/cancel-offer',
    title: 'Cancel an offer',
    deed: 'Cancel offer',
    done: 'is cancelled',
    undone: 'is not cancelled',
    label: 'Cancelled',
    labelUndone: 'Not cancelled',
    did: 'cancelled the offer',
    keptIn: 'status',
    words: ['accepted', 'canceled'],
  },
} as const satisfies Record<string, Kind>;

const ROWS: Readonly<Record<keyof typeof KINDS, Kind>> = KINDS;

export const topicOf = (kind: keyof typeof KINDS): string | undefined => ROWS[kind].topic;

/** Whether the service may review a request of this kind, and announces the outcome. */
export const isReviewed = (kind: keyof typeof KINDS): boolean => topicOf(kind) !== undefined;

type Row = {
  /** Whether an open request keeps others off its order or offer. */
  isOpen: boolean;
  /** Whether the bot goes on by itself from here, so that no play may end in this state. */
  isWaiting: boolean;
  /** Whether approvers may vote. */
  votes: boolean;
  /** The label of the card. */
  label: RegExp | ByKind;
  /** A button that the card must have; undefined: none. */
  button?: RegExp;
  /** The text of the reply on entering the state; undefined: none is owed. An approval has a reply of its own. */
  reply?: RegExp | ByKind;
};

type ByKind = (kind: Kind) => RegExp;

const OPEN = { isOpen: true, isWaiting: false, votes: false };
const ON_ITS_WAY = { isOpen: true, isWaiting: true, votes: false };
const ENDED = { isOpen: false, isWaiting: false, votes: false };
const DONE: Row = {
  ...ENDED,
  label: ({ label }) => new RegExp(`^${label}`),
  reply: ({ done }) => new RegExp(`${done}: `),
};

export const STATES: Readonly<Record<string, Row>> = {
  awaiting_approval: { ...ON_ITS_WAY, votes: true, label: /^Awaiting approval/, button: /^Withdraw$/ },
  queued: { ...ON_ITS_WAY, label: /^(Queued|Being sent)/, button: /^Withdraw$/ },
  calling: { ...ON_ITS_WAY, label: /^Being sent/ },
  under_review: {
    ...OPEN,
    label: /^(In review|Accepted)/,
    button: /^(Record|Correct) the outcome$/,
    reply:
      /reviewing it|is reviewing the (request|last one)|under review again|accepted the request, but its (answer|event) does not say/,
  },
  unknown: {
    ...OPEN,
    label: /^Outcome unknown/,
    button: /^Record the outcome$/,
    // Also a refusal that is told late: once it is known that the earlier call was not received either.
    reply:
      /did not (answer|finish) in time|failed while it worked|gave up on the request|with a redirect|cannot be read|another id in its answer|was lost before it|was interrupted during the call|No answer is known|an earlier call may have been received|service refused (the request|this workspace's)/,
  },
  canceled: { ...DONE },
  approved: {
    ...DONE,
    reply: ({ done, did }) => new RegExp(`${done}: |service ${did}( after a review)?, but`),
  },
  denied: {
    ...ENDED,
    label: ({ labelUndone }) => new RegExp(`^${labelUndone}`),
    reply: ({ undone }) => new RegExp(`${undone}: |decided against it( after a review)?, but`),
  },
  sent: { ...DONE },
  failed: {
    ...ENDED,
    label: /^(Refused by the order service|Not received|Not sent)/,
    reply: ({ undone }) =>
      new RegExp(`${undone}[^.]* by this request|recorded that the order service did not receive`),
  },
  declined: {
    ...ENDED,
    label: /^Declined/,
    reply: /declined the request, and (nothing was sent|the request was not sent again)/,
  },
  withdrawn: {
    ...ENDED,
    label: /^Withdrawn/,
    reply: /withdrew the request, and (nothing was sent|the request was not sent again)/,
  },
  already_canceled: { ...DONE, reply: ({ label }) => new RegExp(`is already ${label.toLowerCase()}: `) },
  expired: {
    ...ENDED,
    label: /^Expired/,
    reply: /was not approved in time|could not be confirmed in time|could not be sent( again)? in time/,
  },
  not_sent: {
    ...ENDED,
    label: /^Stopped/,
    reply:
      /I could not (post|update the card of) the request|has not confirmed that the request|was deleted before the request|can no longer see the request/,
  },
  closed: { ...ENDED, label: /^Closed/, reply: /closed this request without an outcome/ },
};

type OfKind = { kind: keyof typeof KINDS; state: string };

export const labelOf = ({ kind, state }: OfKind): RegExp | undefined => forKind(STATES[state]?.label, kind);

export const replyOf = ({ kind, state }: OfKind): RegExp | undefined => forKind(STATES[state]?.reply, kind);

const forKind = (text: RegExp | ByKind | undefined, kind: keyof typeof KINDS): RegExp | undefined =>
  typeof text === 'function' ? text(KINDS[kind]) : text;
