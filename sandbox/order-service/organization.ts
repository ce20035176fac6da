/** The data of an organization of the order service, and the requests about orders that it may review. */

/** The status of a request about an order, in the service's own words. `canceled`: done at once, whatever was requested. */
export type RequestStatus = 'pending' | 'approved' | 'denied' | 'canceled';

/** A request about an order. `createdAt` is the `requestedAt` of the answer to the call. */
export type OrderRequest = {
  status: RequestStatus;
  reason: string;
  createdAt: string;
  updatedAt: string;
};

export type Order = {
  id: string;
  poNumber: string | null;
  /** Whether requests about it need a review, as those about a dispatched order do. */
  reviewed: boolean;
  requests: { [K in ReviewedKind]?: OrderRequest };
};

export type Offer = {
  id: string;
  status: string;
  /** Whether callers lack the permission to cancel it. */
  forbidden?: boolean;
};

/** A bearer token. GraphQL tokens still work on some REST operations; the interface does not show which. */
export type ApiToken = {
  token: string;
  kind: 'rest' | 'graphql';
  /** The operations that accept it; left out: all. */
  acceptedBy?: readonly string[];
};

export type Subscription = {
  id: string;
  url: string;
  secret: string;
  /** The format of the digest: GitHub's convention (the default), bare hex, or base64. */
  format: 'sha256=hex' | 'hex' | 'base64';
};

/** A customer of the service. It sees its own orders and nothing else. */
export type Organization = {
  id: string;
  name: string;
  tokens: ApiToken[];
  orders: Map<string, Order>;
  offers: Map<string, Offer>;
  subBrands: { id: string; name: string }[];
  subscriptions: Subscription[];
};

export type Reviewed = {
  noun: string;
  paths: readonly string[];
  statusField: string;
  reasonField: string;
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
