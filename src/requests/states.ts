/**
 * The states of a request and the whole transition table, as data. Nothing else in the code decides which state
 * follows which.
 */

/** `slot`: an open request keeps others off its target. `reply`: what entering the state says in the thread. */
export const STATES = {
  awaiting_approval: { slot: true, reply: 'none' },
  queued: { slot: true, reply: 'none' },
  calling: { slot: true, reply: 'none' },
  under_review: { slot: true, reply: 'plain' },
  unknown: { slot: true, reply: 'mention' },
  canceled: { slot: false, reply: 'mention' },
  approved: { slot: false, reply: 'mention' },
  denied: { slot: false, reply: 'mention' },
  sent: { slot: false, reply: 'mention' },
  failed: { slot: false, reply: 'mention' },
  declined: { slot: false, reply: 'mention' },
  withdrawn: { slot: false, reply: 'mention' },
  overtaken: { slot: false, reply: 'mention' },
  lapsed: { slot: false, reply: 'mention' },
  not_sent: { slot: false, reply: 'mention' },
  closed: { slot: false, reply: 'mention' },
} as const satisfies Record<string, { slot: boolean; reply: 'none' | 'plain' | 'mention' }>;

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]];

/**
 * What can happen to a request. `says_*`: the service said so, in its answer or in an event, or a person recorded it.
 * `resend` and `release`: a person decided. `ask_again`: to have it sent again needs approval again.
 */
export const TRIGGERS = [
  'approve',
  'decline',
  'withdraw',
  'ask_again',
  'call_begun',
  'card_refused',
  'lapse',
  'not_received',
  'refused',
  'no_answer',
  'says_pending',
  'says_canceled',
  'says_approved',
  'says_denied',
  'says_sent',
  'resend',
  'release',
] as const;

export type Trigger = (typeof TRIGGERS)[number];

const SAID = {
  says_pending: 'under_review',
  says_canceled: 'canceled',
  says_approved: 'approved',
  says_denied: 'denied',
  says_sent: 'sent',
} as const satisfies Partial<Record<Trigger, State>>;

/** What the service says about a request that has ended, and that it may have received after all. */
const LATE = { says_canceled: 'canceled', says_approved: 'approved', says_denied: 'denied' } as const;

/** state x trigger -> next state. A pair that is not listed changes nothing. */
export const TRANSITIONS: Readonly<Record<State, Partial<Record<Trigger, State>>>> = {
  awaiting_approval: {
    approve: 'queued',
    decline: 'declined',
    withdraw: 'withdrawn',
    lapse: 'lapsed',
    card_refused: 'not_sent',
    says_canceled: 'overtaken',
    says_approved: 'overtaken',
    // Of an earlier call: it was received after all.
    says_pending: 'under_review',
    says_denied: 'denied',
  },
  // What the service says of an earlier call comes before another one is made.
  queued: {
    ...SAID,
    call_begun: 'calling',
    card_refused: 'not_sent',
    lapse: 'lapsed',
    withdraw: 'withdrawn',
  },
  calling: { ...SAID, refused: 'failed', no_answer: 'unknown', not_received: 'queued' },
  under_review: {
    says_canceled: 'canceled',
    says_approved: 'approved',
    says_denied: 'denied',
    says_sent: 'sent',
    release: 'closed',
  },
  // Never sent again by itself: only a late answer, an event or a person moves it (invariant 1).
  unknown: {
    ...SAID,
    refused: 'failed',
    resend: 'queued',
    ask_again: 'awaiting_approval',
    release: 'closed',
  },
  canceled: {},
  approved: { says_pending: 'under_review', says_denied: 'denied' },
  denied: { says_pending: 'under_review', says_approved: 'approved' },
  sent: {},
  failed: { ...LATE, resend: 'queued', ask_again: 'awaiting_approval' },
  declined: LATE,
  withdrawn: LATE,
  lapsed: LATE,
  overtaken: {},
  not_sent: LATE,
  closed: LATE,
};
