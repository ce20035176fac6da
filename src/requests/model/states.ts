/**
 * The states of a request and the transition table, as data. Beside the table, transition.ts decides three things: a recorded
 * outcome is confirmed by the same word of the service (`confirmed`), a review that is known already changes nothing, and a
 * refusal proves nothing while an earlier call may have been received (`refused_in_doubt`).
 */
import { z } from 'zod';

/**
 * Actions of a person on a request. `not_received`: the service received nothing, so the request is sent again.
 * `never_received`: it received nothing, whatever a person has recorded, and nothing is sent. `input`: in the transition table.
 * `act`: in the audit trail; what was `recorded` may be `corrected`, too.
 */
export const MANUAL_ACTIONS = {
  approved: { input: 'says_approved', act: 'recorded' },
  denied: { input: 'says_denied', act: 'recorded' },
  sent: { input: 'says_sent', act: 'recorded' },
  canceled: { input: 'says_canceled', act: 'recorded' },
  in_review: { input: 'says_pending', act: 'recorded' },
  not_received: { input: 'resend', act: 'retried' },
  never_received: { input: 'never_received', act: 'corrected' },
  retry: { input: 'resend', act: 'retried' },
  release: { input: 'release', act: 'released' },
  withdraw: { input: 'withdraw', act: 'withdrew' },
} as const;
export type ManualAction = keyof typeof MANUAL_ACTIONS;

export const MANUAL_ACTION_NAMES = Object.keys(MANUAL_ACTIONS) as [ManualAction, ...ManualAction[]];

/** The actions by which a person records what became of a request that the service has not told. */
export type RecordingAction = {
  [Action in ManualAction]: (typeof MANUAL_ACTIONS)[Action]['act'] extends 'recorded' ? Action : never;
}[ManualAction];

export const isRecording = (action: ManualAction): action is RecordingAction =>
  MANUAL_ACTIONS[action].act === 'recorded';

/** Groups of the history. */
export const HISTORY_GROUPS = ['open', 'unknown', 'canceled', 'sent', 'refused', 'ended'] as const;
export type HistoryGroup = (typeof HISTORY_GROUPS)[number];

type Row = {
  /** Whether the request is open: it keeps other requests off its order or offer. */
  slot: boolean;
  /** The reply on entering the state. */
  reply: 'none' | 'plain' | 'mention';
  /** Whether the order or offer is as the request wanted it; undefined: that is not known. */
  outcome: 'done' | 'undone' | undefined;
  /** Whether approvers may vote. */
  votes: boolean;
  /** Whether the call of the current decision has not begun. */
  beforeCall: boolean;
  /** Whether the card offers to request the same again, as a new request. */
  again: boolean;
  /**
   * The actions that a person may take. `record`: record what can be recorded for the kind. `correct`: the same, or
   * `never_received`, if a person has recorded the outcome.
   */
  actions: readonly (ManualAction | 'record' | 'correct')[];
  /** The groups of the history that list the request. */
  groups: readonly [HistoryGroup, ...HistoryGroup[]];
};

// Each group sets the columns that its states have in common. A row names all others, so the compiler finds one that is
// missing.
const BEFORE_CALL = {
  slot: true,
  reply: 'none',
  outcome: undefined,
  beforeCall: true,
  again: false,
  groups: ['open'],
} as const;
const CALLED = {
  slot: true,
  outcome: undefined,
  votes: false,
  beforeCall: false,
  again: false,
  groups: ['open'],
} as const;
const ENDED = { slot: false, reply: 'mention', votes: false, beforeCall: false } as const;

/** An older version can't read a new state (storage/storage-version.ts). */
export const STATES = {
  awaiting_approval: { ...BEFORE_CALL, votes: true, actions: ['withdraw'] },
  queued: { ...BEFORE_CALL, votes: false, actions: ['withdraw'] },
  calling: { ...CALLED, reply: 'none', actions: [] },
  under_review: { ...CALLED, reply: 'plain', actions: ['record', 'correct', 'release'] },
  unknown: {
    ...CALLED,
    reply: 'mention',
    actions: ['record', 'not_received', 'release'],
    groups: ['open', 'unknown'],
  },
  canceled: { ...ENDED, outcome: 'done', again: false, actions: ['correct'], groups: ['canceled'] },
  approved: { ...ENDED, outcome: 'done', again: false, actions: ['correct'], groups: ['canceled'] },
  denied: { ...ENDED, outcome: 'undone', again: false, actions: ['correct'], groups: ['refused'] },
  sent: { ...ENDED, outcome: 'done', again: false, actions: ['correct'], groups: ['sent'] },
  failed: { ...ENDED, outcome: undefined, again: true, actions: ['retry'], groups: ['refused'] },
  declined: { ...ENDED, outcome: undefined, again: true, actions: [], groups: ['refused'] },
  withdrawn: { ...ENDED, outcome: undefined, again: true, actions: [], groups: ['ended'] },
  already_canceled: { ...ENDED, outcome: 'done', again: false, actions: [], groups: ['canceled'] },
  expired: { ...ENDED, outcome: undefined, again: true, actions: [], groups: ['ended'] },
  not_sent: { ...ENDED, outcome: undefined, again: true, actions: [], groups: ['ended'] },
  closed: { ...ENDED, outcome: undefined, again: false, actions: [], groups: ['ended'] },
} as const satisfies Record<string, Row>;

export type State = keyof typeof STATES;

/** The groups of the history that list a state; the first one names it. */
export const groupsOf = (state: State): readonly [HistoryGroup, ...HistoryGroup[]] => STATES[state].groups;

export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]];

/** The status of a request: its state, and the details that the name of the state hides. */
export const RequestStatus = z.object({
  state: z.enum(STATE_NAMES),
  /**
   * `accepted`: the service has the request, and has not said, or not in a word of the interface, what became of it.
   * `not_received`: failed without a refusal. `not_asked`: failed before the service could be called.
   */
  how: z.enum(['accepted', 'not_received', 'not_asked']).optional(),
  /** The person who recorded the outcome, which is then not the service's word. */
  recordedBy: z.string().optional(),
});
export type RequestStatus = z.infer<typeof RequestStatus>;

/** The words the service uses for a cancellation (order-service-interface.md, section 2). */
export const SERVICE_STATUSES = ['pending', 'approved', 'canceled', 'denied'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/**
 * Outcomes of a request: the service's words, `sent` for an offer (section 2, "Offer send result"), and `accepted`
 * where the service took the request and said nothing more, or only a word that the interface does not list.
 */
export const OUTCOMES = [...SERVICE_STATUSES, 'sent', 'accepted'] as const;

/** The next state for each outcome, from any state in which nothing better is known. */
export const SAID = {
  says_accepted: 'under_review',
  says_pending: 'under_review',
  says_canceled: 'canceled',
  says_approved: 'approved',
  says_denied: 'denied',
  says_sent: 'sent',
} as const satisfies { [O in (typeof OUTCOMES)[number] as `says_${O}`]: State };

/** Whether the order or offer is as the request wanted it, by the service's word; undefined if that word decides nothing. */
export const outcomeSaid = (status: (typeof OUTCOMES)[number]): Row['outcome'] =>
  STATES[SAID[`says_${status}`]].outcome;

/** Inputs of the transition table. */
export type TransitionInput =
  | 'approve'
  | 'decline'
  | 'withdraw'
  /** A person wants the request sent again, and that needs approval again. */
  | 'request_approval_again'
  | 'call_begun'
  | 'card_refused'
  /** The service announced that the order is cancelled, but not by this request. */
  | 'canceled_elsewhere'
  /** The service took back what it said of an earlier call, while the last call is in doubt. */
  | 'reconsidered'
  | 'expire'
  | 'not_received'
  | 'refused'
  /** The call was refused while another call of the request may have been received, which may be why. */
  | 'refused_in_doubt'
  | 'no_answer'
  /**
   * The service reported this outcome, in its answer or in an event, or a person recorded it. `says_accepted`: the service has
   * the request, and has not told its outcome.
   */
  | keyof typeof SAID
  /** A person has the request sent again. */
  | 'resend'
  /** An admin closes the request without an outcome. */
  | 'release'
  /** A person corrects what a person recorded, and nothing is sent. */
  | 'never_received';

/** state x input -> next state. A pair that is not listed changes nothing, unless it confirms what a person recorded. */
export const TRANSITIONS: Readonly<Record<State, Partial<Record<TransitionInput, State>>>> = {
  awaiting_approval: {
    ...SAID,
    approve: 'queued',
    decline: 'declined',
    withdraw: 'withdrawn',
    expire: 'expired',
    card_refused: 'not_sent',
    canceled_elsewhere: 'already_canceled',
  },
  queued: {
    ...SAID,
    call_begun: 'calling',
    card_refused: 'not_sent',
    expire: 'expired',
    withdraw: 'withdrawn',
  },
  calling: {
    ...SAID,
    refused: 'failed',
    refused_in_doubt: 'unknown',
    no_answer: 'unknown',
    not_received: 'queued',
  },
  // Enters itself: the service confirms the review after it had only accepted the request.
  under_review: {
    says_pending: 'under_review',
    says_canceled: 'canceled',
    says_approved: 'approved',
    says_denied: 'denied',
    says_sent: 'sent',
    release: 'closed',
    never_received: 'failed',
  },
  // Never sent again automatically: only a late answer, an event or a person moves it (promise 1). A late answer can
  // also show that no call was received; then a person may send it again.
  unknown: {
    ...SAID,
    refused: 'failed',
    refused_in_doubt: 'unknown',
    not_received: 'failed',
    resend: 'queued',
    request_approval_again: 'awaiting_approval',
    release: 'closed',
  },
  canceled: { never_received: 'failed' },
  // An immediate cancellation by another call is the final word, unlike an approval.
  approved: {
    says_canceled: 'canceled',
    says_pending: 'under_review',
    says_denied: 'denied',
    reconsidered: 'unknown',
    never_received: 'failed',
  },
  denied: {
    says_pending: 'under_review',
    says_approved: 'approved',
    says_canceled: 'canceled',
    never_received: 'failed',
  },
  sent: { never_received: 'failed' },
  failed: { ...SAID, resend: 'queued', request_approval_again: 'awaiting_approval' },
  declined: SAID,
  withdrawn: SAID,
  expired: SAID,
  // The order is already cancelled, so only a confirmation adds information.
  already_canceled: { says_canceled: 'canceled', says_approved: 'approved' },
  not_sent: SAID,
  closed: SAID,
};
