import { refusal } from '../answers.ts';
import { cancelOrder } from './cancel-order.ts';
import { cancelOffer, sendOffer } from './offers.ts';
import type { Operation } from './operation.ts';

/** Revokes the token that the request was made with. */
const revokeToken: Operation = {
  name: 'revoke_token',
  routes: [{ method: 'DELETE', path: '/token' }],
  run: ({ organization, token }) => {
    organization.tokens = organization.tokens.filter((known) => known.token !== token);
    return { status: 204 };
  },
};

/**
 * Lists the organization's sub-brands. The interface does not show the status of SUB_BRANDS_NOT_FOUND, so 404 is an
 * assumption.
 */
const getSubBrands: Operation = {
  name: 'get_sub_brands',
  routes: [{ method: 'GET', path: '/prod/offers/sub-brands' }],
  run: ({ organization }) =>
    organization.subBrands.length > 0
      ? { status: 200, body: organization.subBrands }
      : refusal(404, { code: 'SUB_BRANDS_NOT_FOUND', message: 'No sub-brands found' }),
};

/** The operations of the interface. */
export const OPERATIONS: readonly Operation[] = [
  cancelOrder,
  getSubBrands,
  sendOffer,
  cancelOffer,
  revokeToken,
];
