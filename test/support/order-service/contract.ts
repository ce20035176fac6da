/** order-service-interface.md as data: what a request of each operation looks like, and what may be answered to it. */
import { z } from 'zod';
import type { KINDS } from '../seen-requests.ts';

/** One segment of a path: encoded, and no dot segment (section 1: "Identifiers in paths are strings"). */
const ID = "(?!\\.{1,2}/)(?:[\\w.~!'()*-]|%[0-9A-F]{2})+";

const Time = z.iso.datetime({ offset: true });
const OrderCancellation = z.strictObject({
  cancellationStatus: z.enum(['approved', 'denied', 'pending', 'canceled']).optional(),
  cancellationReason: z.string().optional(),
  requestedAt: Time,
});
const OfferSendResult = z.strictObject({ success: z.boolean(), sentAt: Time });
const OfferCancelResult = z.strictObject({ offerId: z.string(), status: z.string(), canceledAt: Time });
const SubBrands = z.array(z.strictObject({ id: z.string(), name: z.string() }));

/** Section 2, "Error body". */
export const ErrorBody = z.strictObject({
  code: z.string().min(1),
  message: z.string(),
  details: z.array(z.strictObject({ field: z.string(), error: z.string() })).optional(),
});

export type Operation = {
  name: string;
  method: string;
  path: RegExp;
  /** The body of the request; undefined where there is none. */
  sends?: z.ZodType;
  /** The status of a success; undefined where section 4 does not show it. */
  status?: number;
  /** The body of a success; undefined where there is none. */
  answers?: z.ZodType;
};

/** Section 4, the table of endpoints. */
const ROWS: Record<keyof typeof KINDS | 'get_sub_brands' | 'revoke_token', Omit<Operation, 'name'>> = {
  cancel_order: {
    method: 'POST',
    path: new RegExp(`^/orders/${ID}/cancel$`),
    sends: z.strictObject({ reason: z.string().min(1) }),
    status: 201,
    answers: OrderCancellation,
  },
  get_sub_brands: { method: 'GET', path: /^\/prod\/offers\/sub-brands$/, answers: SubBrands },
  send_offer: {
    method: 'POST',
    path: new RegExp(`^/prod/offers/${ID}/send$`),
    answers: OfferSendResult,
  },
  cancel_offer: {
    method: 'POST',
    path: new RegExp(`^/prod/offers/${ID}/cancel$`),
    answers: OfferCancelResult,
  },
  revoke_token: { method: 'DELETE', path: /^\/token$/, status: 204 },
};

export const OPERATIONS: readonly Operation[] = Object.entries(ROWS).map(([name, row]) => ({ name, ...row }));
