/** What an agent can ask the order service to do. A new operation is a new row here, in the client and in the texts. */

type Row = {
  resource: 'order' | 'offer';
  needsReason: boolean;
  /** What a person can record that became of it, where the service has not told. */
  outcomes: readonly ('approved' | 'denied' | 'sent' | 'canceled')[];
};

export const KINDS = {
  cancel_order: { resource: 'order', needsReason: true, outcomes: ['approved', 'denied'] },
  send_offer: { resource: 'offer', needsReason: false, outcomes: ['sent'] },
  cancel_offer: { resource: 'offer', needsReason: false, outcomes: ['canceled'] },
} as const satisfies Record<string, Row>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
