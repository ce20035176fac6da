/**
 * Defines the operations that an agent can request. A new operation needs a row here, in the client and in the texts.
 */

import type { State } from './states.ts';

type Row = {
  resource: 'order' | 'offer';
  needsReason: boolean;
  /** Outcomes that a person can record when the service has not told one. */
  outcomes: readonly ('approved' | 'denied' | 'sent' | 'canceled')[];
  /** States of an earlier request for the same target that make another one pointless or redundant. */
  doneBy: readonly State[];
};

export const KINDS = {
  cancel_order: {
    resource: 'order',
    needsReason: true,
    outcomes: ['approved', 'denied'],
    doneBy: ['approved', 'canceled', 'already_canceled'],
  },
  send_offer: { resource: 'offer', needsReason: false, outcomes: ['sent'], doneBy: ['sent', 'canceled'] },
  cancel_offer: { resource: 'offer', needsReason: false, outcomes: ['canceled'], doneBy: ['canceled'] },
} as const satisfies Record<string, Row>;

export type Kind = keyof typeof KINDS;

/** The outcomes that a person can record, of any kind. */
export type RecordableOutcome = (typeof KINDS)[Kind]['outcomes'][number];

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
