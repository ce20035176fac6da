/** What an agent can ask the order service to do. A new operation is a new row here, in the client and in the texts. */

import type { State } from './states.ts';

type Row = {
  resource: 'order' | 'offer';
  needsReason: boolean;
  /** What a person can record that became of it, where the service has not told. */
  outcomes: readonly ('approved' | 'denied' | 'sent' | 'canceled')[];
  /** States of an earlier request for the same target that make another one pointless, or one too many. */
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

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
