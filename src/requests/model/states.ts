/**
 * The states of a request and the whole transition table, as data. Nothing else in the code decides which state
 * follows which.
 */

/**
 * `slot`: an open request keeps others off its target. `owed`: the service owes an outcome. `reply`: what entering the
 * state says in the thread. `outcome`: whether the order or offer is as the request wanted it, where that is known.
 */
type Row = {
  slot: boolean;
  owed: boolean;
  reply: 'none' | 'plain' | 'mention';
  outcome: 'done' | 'undone' | undefined;
};

const OPEN = { slot: true, owed: false, reply: 'none', outcome: undefined } as const;
const ENDED = { slot: false, owed: false, reply: 'mention', outcome: undefined } as const;

export const STATES = {
  awaiting_approval: OPEN,
  queued: OPEN,
  calling: { ...OPEN, owed: true },
  under_review: { ...OPEN, owed: true, reply: 'plain' },
  unknown: { ...OPEN, owed: true, reply: 'mention' },
  canceled: { ...ENDED, outcome: 'done' },
  approved: { ...ENDED, outcome: 'done' },
  denied: { ...ENDED, outcome: 'undone' },
  sent: { ...ENDED, outcome: 'done' },
  failed: ENDED,
  declined: ENDED,
  withdrawn: ENDED,
  already_canceled: { ...ENDED, outcome: 'done' },
  expired: ENDED,
  not_sent: ENDED,
  closed: ENDED,
} as const satisfies Record<string, Row>;

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]];

/**
 * What can happen to a request. `says_*`: the service said so, in its answer or in an event, or a person recorded it;
 * `says_accepted`: the service has the request, and does not say what became of it. `refused_in_doubt`: refused, while
 * another call of the request may have been received, which may be the very reason. `canceled_elsewhere`: the service
 * announced that the order is cancelled, and not by this request. `resend` and `release`: a person decided.
 * `ask_again`: to have it sent again needs approval again.
 */
export const TRIGGERS = [
  'approve',
  'decline',
  'withdraw',
  'ask_again',
  'call_begun',
  'card_refused',
  'canceled_elsewhere',
  'lapse',
  'not_received',
  'refused',
  'refused_in_doubt',
  'no_answer',
  'says_accepted',
  'says_pending',
  'says_canceled',
  'says_approved',
  'says_denied',
  'says_sent',
  'resend',
  'release',
] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** The service's word about an earlier call applies from any state in which nothing better is known. */
export const SAID = {
  says_accepted: 'under_review',
  says_pending: 'under_review',
  says_canceled: 'canceled',
  says_approved: 'approved',
  says_denied: 'denied',
  says_sent: 'sent',
} as const satisfies { [T in Extract<Trigger, `says_${string}`>]: State };

/** state x trigger -> next state. A pair that is not listed changes nothing. */
export const TRANSITIONS: Readonly<Record<State, Partial<Record<Trigger, State>>>> = {
  awaiting_approval: {
    ...SAID,
    approve: 'queued',
    decline: 'declined',
    withdraw: 'withdrawn',
    lapse: 'expired',
    card_refused: 'not_sent',
    canceled_elsewhere: 'already_canceled',
  },
  queued: {
    ...SAID,
    call_begun: 'calling',
    card_refused: 'not_sent',
    lapse: 'expired',
    withdraw: 'withdrawn',
  },
  calling: {
    ...SAID,
    refused: 'failed',
    refused_in_doubt: 'unknown',
    no_answer: 'unknown',
    not_received: 'queued',
  },
  // Known to be reviewed only now, where the service had said no more than that it has it.
  under_review: {
    says_pending: 'under_review',
    says_canceled: 'canceled',
    says_approved: 'approved',
    says_denied: 'denied',
    says_sent: 'sent',
    release: 'closed',
  },
  // Never sent again by itself: only a late answer, an event or a person moves it (invariant 1). An answer that comes
  // late can also show that no call was received; then a person may have it sent again.
  unknown: {
    ...SAID,
    refused: 'failed',
    refused_in_doubt: 'unknown',
    not_received: 'failed',
    resend: 'queued',
    ask_again: 'awaiting_approval',
    release: 'closed',
  },
  canceled: {},
  approved: { says_pending: 'under_review', says_denied: 'denied' },
  denied: { says_pending: 'under_review', says_approved: 'approved', says_canceled: 'canceled' },
  sent: {},
  failed: { ...SAID, resend: 'queued', ask_again: 'awaiting_approval' },
  declined: SAID,
  withdrawn: SAID,
  expired: SAID,
  // The order is cancelled already, so only what says so, too, says more.
  already_canceled: { says_canceled: 'canceled', says_approved: 'approved' },
  not_sent: SAID,
  closed: SAID,
};
