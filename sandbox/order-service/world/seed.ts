import type { ApiToken, Organization } from '../organization.ts';
import { createOrganization } from './organizations.ts';

export const SEED_TOKENS = {
  acme: {
    rest: 'order_rest_acme_Zk3v9QbT1xR7',
    graphql: 'order_graphql_acme_H8sWn2LpY5dc',
  },
  globex: { rest: 'order_rest_globex_Vu6mJ4aCq0Ke' },
} as const;

/**
 * Creates two organizations. Orders A-1001 to A-1010 can be cancelled at once, A-2001 to A-2010 are reviewed;
 * Globex has G-1001 and G-2001.
 */
export function seedOrganizations(): Organization[] {
  const acme = createOrganization('acme', 'Acme Furniture');
  acme.tokens.push(rest(SEED_TOKENS.acme.rest), { token: SEED_TOKENS.acme.graphql, kind: 'graphql' });
  acme.subBrands.push(
    { id: 'sb-1', name: 'Acme Home' },
    { id: 'sb-2', name: 'Acme Kids' },
    { id: 'sb-3', name: 'Acme Outlet' },
  );
  addOrders(acme, 'A', 10);
  acme.offers.set('O-3001', { id: 'O-3001', status: 'pending' });
  acme.offers.set('O-3002', { id: 'O-3002', status: 'canceled' });
  acme.offers.set('O-3003', { id: 'O-3003', status: 'pending', forbidden: true });

  const globex = createOrganization('globex', 'Globex Trading');
  globex.tokens.push(rest(SEED_TOKENS.globex.rest));
  addOrders(globex, 'G', 1);
  return [acme, globex];
}

const rest = (token: string): ApiToken => ({ token, kind: 'rest' });

function addOrders(organization: Organization, prefix: string, count: number): void {
  for (let n = 1; n <= count; n += 1) {
    for (const series of [1000, 2000]) {
      const id = `${prefix}-${series + n}`;
      organization.orders.set(id, {
        id,
        poNumber: `PO-${series + n}`,
        reviewed: series === 2000,
        requests: {},
      });
    }
  }
}
