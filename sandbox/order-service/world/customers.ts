/** The customers of the order service and their data. */

import { randomBytes } from 'node:crypto';
import type { Journal } from '../../lib/http/journal.ts';
import type { ApiToken, Offer, Order, Organization, Subscription } from '../organization.ts';

/** The organization; left out: 'acme'. */
export type InOrganization = {
  organization?: string;
};

/** The customers of the service and their data. */
export type Customers = {
  organization(id?: string): Organization;
  addOrganization(id: string, name?: string): Organization;
  /** Issues a token, or takes the given one. The journal always masks it. */
  issueToken(options?: Partial<ApiToken> & InOrganization): string;
  addOrder(order: Partial<Order> & { id: string } & InOrganization): Order;
  addOffer(offer: Partial<Offer> & { id: string } & InOrganization): Offer;
  /** Posts the organization's events to a URL, signed with its secret. */
  subscribe(options: Partial<Subscription> & { url: string; secret: string } & InOrganization): Subscription;
  unsubscribe(subscriptionId: string, options?: InOrganization): void;
};

/** Creates the customers, kept in `organizations`. */
export function createCustomers(journal: Journal, organizations: Map<string, Organization>): Customers {
  const organization = (id = 'acme') => {
    const found = organizations.get(id);
    if (!found) throw new Error(`there is no organization ${id}`);
    return found;
  };
  return {
    organization,
    addOrganization: (id, name = id) => keep(organizations, createOrganization(id, name)),
    issueToken: ({ organization: of, kind = 'rest', token = generateToken(kind), ...rest } = {}) => {
      journal.addSecret(token);
      organization(of).tokens.push({ token, kind, ...rest });
      return token;
    },
    addOrder: ({ organization: of, ...order }) =>
      keep(organization(of).orders, { poNumber: null, reviewed: false, requests: {}, ...order }),
    addOffer: ({ organization: of, ...offer }) =>
      keep(organization(of).offers, { status: 'pending', ...offer }),
    subscribe: ({ organization: of, ...options }) => {
      journal.addSecret(options.secret);
      const { subscriptions, id } = organization(of);
      // The count would not do: after one was removed, it could be the number of another one.
      const number = Number(subscriptions.at(-1)?.id.split('-').at(-1) ?? 0) + 1;
      const added: Subscription = { id: `${id}-${number}`, format: 'sha256=hex', ...options };
      subscriptions.push(added);
      return added;
    },
    unsubscribe: (subscriptionId, { organization: of } = {}) => {
      const customer = organization(of);
      customer.subscriptions = customer.subscriptions.filter(({ id }) => id !== subscriptionId);
    },
  };
}

function keep<T extends { id: string }>(map: Map<string, T>, value: T): T {
  map.set(value.id, value);
  return value;
}

/** Creates an empty organization. */
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

/** Generates a token in the format of the developer portal. */
function generateToken(kind: ApiToken['kind']): string {
  return `order_${kind}_${randomBytes(18).toString('base64url')}`;
}
