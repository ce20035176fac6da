/** The status of a request to cancel an order, in the service's own words. */
export type CancellationStatus = 'pending' | 'approved' | 'denied' | 'canceled';

/** A request to cancel an order. `createdAt` is the `requestedAt` of the answer to the call. */
export type Cancellation = {
  status: CancellationStatus;
  reason: string;
  createdAt: string;
  updatedAt: string;
};

/** An order, with the fields of the interface. */
export type Order = {
  id: string;
  poNumber: string | null;
  /** Whether its cancellation needs a review, as that of a dispatched order does. */
  reviewed: boolean;
  cancellation?: Cancellation;
};

/** An offer, with the fields of the interface. */
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

/** The address and the signature of an organization's events. */
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
