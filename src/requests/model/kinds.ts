/** Lists the operations that an agent can request, by the names under which they are stored. */
import { cancelOffer } from './kinds/cancel-offer.ts';
import { cancelOrder } from './kinds/cancel-order.ts';
import { sendOffer } from './kinds/send-offer.ts';
import type { RequestKind } from './request-kind.ts';

const ALL = {
  cancel_order: cancelOrder,
  send_offer: sendOffer,
  cancel_offer: cancelOffer,
} as const satisfies Record<string, RequestKind>;

export type Kind = keyof typeof ALL;

export const KINDS: Readonly<Record<Kind, RequestKind>> = ALL;

export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
