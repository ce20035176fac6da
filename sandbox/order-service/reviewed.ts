/** A request about an order that the service may review. */
export type Reviewed = {
  /** Names such a request: "already has a cancellation". */
  noun: string;
  paths: readonly string[];
  /** The fields of the answer. */
  statusField: string;
  reasonField: string;
  /** The beginning of the topics of its events. */
  topic: string;
};

/** The requests about orders: done at once or reviewed, by the names of their operations. */
export const REVIEWED = {
  cancel_order: {
    noun: 'cancellation',
    paths: ['/orders/{id}/cancel', '/orders/orders/{id}/cancel'],
    statusField: 'cancellationStatus',
    reasonField: 'cancellationReason',
    topic: 'order.cancellationrequest',
  },
} as const satisfies Record<string, Reviewed>;

export type ReviewedKind = keyof typeof REVIEWED;

export const REVIEWED_KINDS = Object.keys(REVIEWED) as [ReviewedKind, ...ReviewedKind[]];
