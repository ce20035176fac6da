import { cancelOrder } from './cancel-order.ts';
import { cancelOffer, sendOffer } from './offers.ts';
import type { Operation } from './operation.ts';
import { revokeToken } from './revoke-token.ts';
import { getSubBrands } from './sub-brands.ts';

/** Every operation of the interface. */
export const OPERATIONS: readonly Operation[] = [
  cancelOrder,
  getSubBrands,
  sendOffer,
  cancelOffer,
  revokeToken,
];
