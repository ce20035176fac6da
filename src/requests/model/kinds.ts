/**
 * Defines the operations that an agent can request. A new operation needs a row here, in the client and in the texts.
 */

import type { RECORDS, State } from './states.ts';

type Row = {
  resource: 'order' | 'offer';
  needsReason: boolean;
  /** The outcomes that a person can record when the service has told none. Only cancellations of orders are reviewed. */
  records: readonly (typeof RECORDS)[number][];
  /** States of an earlier request for the same target that make another one pointless or redundant. */
  doneBy: readonly State[];
};

export const KINDS = {
  cancel_order: {
    resource: 'order',
    needsReason: true,
    records: ['approved', 'denied', 'in_review'],
    doneBy: ['approved', 'canceled', 'already_canceled'],
  },
  send_offer: { resource: 'offer', needsReason: false, records: ['sent'], doneBy: ['sent', 'canceled'] },
  cancel_offer: { resource: 'offer', needsReason: false, records: ['canceled'], doneBy: ['canceled'] },
} as const satisfies Record<string, Row>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
