/** The organizations that the order service serves, and their data. */
import { randomBytes } from 'node:crypto';
import type { Journal } from '../../lib/http/journal.ts';
import type { ApiToken, Offer, Order, Organization, Subscription } from '../organization.ts';

/** The id of the organization; left out: 'acme'. */
export type InOrganization = {
  organization?: string;
};

export type Organizations = ReturnType<typeof createOrganizations>;

/** Creates the functions that add and change organizations. @param organizations the map that holds them */
export function createOrganizations(journal: Journal, organizations: Map<string, Organization>) {
  const organization = (id = 'acme') => {
    const found = organizations.get(id);
    if (!found) throw new Error(`there is no organization ${id}`);
    return found;
  };
  return {
    organization,
    addOrganization: (id: string) => keep(organizations, createOrganization(id, id)),
    /** Issues a token, or takes the given one. The journal always masks it. */
    issueToken: ({ organization: of, ...given }: Partial<ApiToken> & InOrganization = {}) => {
      const { kind = 'rest', token = generateToken(kind) } = given;
      journal.addSecret(token);
      organization(of).tokens.push({ ...given, token, kind });
      return token;
    },
    addOrder: ({ organization: of, ...order }: Partial<Order> & { id: string } & InOrganization): Order =>
      keep(organization(of).orders, { poNumber: null, reviewed: false, requests: {}, ...order }),
    addOffer: ({ organization: of, ...offer }: Partial<Offer> & { id: string } & InOrganization): Offer =>
      keep(organization(of).offers, { status: 'pending', ...offer }),
    subscribe: ({
      organization: of,
      ...options
    }: Partial<Subscription> & { url: string; secret: string } & InOrganization): Subscription => {
      journal.addSecret(options.secret);
      const { subscriptions, id } = organization(of);
      // Not the count: after a removal, it could be the number of another subscription.
      const number = Number(subscriptions.at(-1)?.id.split('-').at(-1) ?? 0) + 1;
      const added: Subscription = { id: `${id}-${number}`, format: 'sha256=hex', ...options };
      subscriptions.push(added);
      return added;
    },
    unsubscribe: (subscriptionId: string, { organization: of }: InOrganization = {}) => {
      const found = organization(of);
      found.subscriptions = found.subscriptions.filter(({ id }) => id !== subscriptionId);
    },
  };
}

function keep<T extends { id: string }>(map: Map<string, T>, value: T): T {
  map.set(value.id, value);
  return value;
}

export function createOrganization(id: string, name: string): Organization {
  const [orders, offers] = [new Map(), new Map()];
  return { id, name, tokens: [], orders, offers, subBrands: [], subscriptions: [] };
}

/** Generates a token. The interface does not say what tokens look like. */
function generateToken(kind: ApiToken['kind']): string {
  return `order_${kind}_${randomBytes(18).toString('base64url')}`;
}
