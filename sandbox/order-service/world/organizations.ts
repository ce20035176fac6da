import { randomBytes } from 'node:crypto';
import type { ApiToken, Organization } from '../organization.ts';

export type { Organization } from '../organization.ts';

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
export function generateToken(kind: ApiToken['kind']): string {
  return `order_${kind}_${randomBytes(18).toString('base64url')}`;
}
