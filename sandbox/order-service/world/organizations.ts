import { randomBytes } from 'node:crypto';

/** Where a request to cancel an order stands; the service's own words. */
export type CancellationStatus = 'pending' | 'approved' | 'denied' | 'canceled';

/** A request to cancel an order. `createdAt` is the `requestedAt` of the answer to the call. */
export type Cancellation = {
  status: CancellationStatus;
  reason: string;
  createdAt: string;
  updatedAt: string;
};

/** An order, as far as the interface shows it. */
export type Order = {
  id: string;
  poNumber: string | null;
  /** Whether its cancellation waits for a review, as that of a dispatched order does. */
  reviewed: boolean;
  cancellation?: Cancellation;
};

/** An offer, as far as the interface shows it. */
export type Offer = {
  id: string;
  status: string;
  /** Whether callers lack the permission to cancel it. */
  forbidden?: boolean;
};

/** A bearer token. GraphQL tokens still work on some REST operations; which ones is not shown. */
export type ApiToken = {
  token: string;
  kind: 'rest' | 'graphql';
  /** The operations that accept it; left out: all. */
  acceptedBy?: readonly string[];
};

/** Where events of an organization are posted, and how they are signed. */
export type Subscription = {
  id: string;
  url: string;
  secret: string;
  /** How the digest is written: GitHub's convention (the default), bare hex, or base64. */
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

/** An organization without anything. */
export function createOrganization(id: string, name: string): Organization {
  return {
    id,
    name,
    tokens: [],
    orders: new Map(),
    offers: new Map(),
    subBrands: [],
    subscriptions: [],
  };
}

/** A token that looks as if the developer portal had issued it. */
export function generateToken(kind: ApiToken['kind']): string {
  return `order_${kind}_${randomBytes(18).toString('base64url')}`;
}
