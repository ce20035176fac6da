/** The client of the order service: its operations, by the names of order-service-interface.md, section 4. */
import { Pool } from 'undici';
import { z } from 'zod';
import { NoAnswerError } from './errors.ts';
import { segment } from './path.ts';
import { type Connection, type Limits, request } from './request.ts';
import { OfferCancelResult, OfferSendResult, OrderCancellation, SubBrand } from './schemas.ts';

/** Every operation throws an OrderServiceError for whatever is not a success. */
export type OrderService = {
  /** POST /orders/{id}/cancel. A 201 means only that it was received: read `cancellationStatus`. */
  cancelOrder(token: string, id: string, reason: string): Promise<OrderCancellation>;
  /** POST /prod/offers/{id}/send. The offer must be pending. */
  sendOffer(token: string, id: string): Promise<OfferSendResult>;
  /** POST /prod/offers/{id}/cancel. */
  cancelOffer(token: string, id: string): Promise<OfferCancelResult>;
  /** GET /prod/offers/sub-brands: all of the caller's organization. Changes nothing. */
  getSubBrands(token: string): Promise<SubBrand[]>;
  /** DELETE /token: the token revokes itself. A 401 means that it was dead already. */
  revokeToken(token: string): Promise<void>;
  close(): Promise<void>;
};

/** Section 9: the deprecated route behaves identically, for services that don't have the other one yet. */
export const CANCEL_ROUTES = { current: '/orders', deprecated: '/orders/orders' } as const;
export type CancelRoute = keyof typeof CANCEL_ROUTES;

/**
 * All in all a call takes less than half of the claim that covers it; a megabyte is far beyond any answer the
 * interface shows, but 5,000 sub-brands still fit.
 */
const LIMITS: Limits = { deadlineMs: 20_000, maxBytes: 1_048_576 };
const CONNECT_TIMEOUT_MS = 5_000;

type Options = { cancelRoute?: CancelRoute; limits?: Limits | undefined };

/** @param baseUrl https, or http on a loopback address; its path comes before every path of the interface */
export function createOrderService(
  baseUrl: URL,
  { cancelRoute = 'current', limits = LIMITS }: Options = {},
): OrderService {
  const pool = new Pool(baseUrl.origin, {
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: limits.deadlineMs,
    bodyTimeout: limits.deadlineMs,
  });
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const connection: Connection = { dispatcher: pool, basePath, limits };
  const post = (token: string, path: string, body?: object) =>
    request(connection, { method: 'POST', path, token, ...(body ? { body } : {}) });
  const offer = (id: string, act: 'send' | 'cancel') => `/prod/offers/${segment(id)}/${act}`;
  return {
    async cancelOrder(token, id, reason) {
      const path = `${CANCEL_ROUTES[cancelRoute]}/${segment(id)}/cancel`;
      return read(OrderCancellation, await post(token, path, { reason }));
    },
    sendOffer: async (token, id) => read(OfferSendResult, await post(token, offer(id, 'send'))),
    cancelOffer: async (token, id) => read(OfferCancelResult, await post(token, offer(id, 'cancel'))),
    async getSubBrands(token) {
      const path = '/prod/offers/sub-brands';
      return read(z.array(SubBrand), await request(connection, { method: 'GET', path, token }));
    },
    async revokeToken(token) {
      await request(connection, { method: 'DELETE', path: '/token', token });
    },
    close: () => pool.destroy(),
  };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const message = 'The answer did not have the shape that the interface shows.';
  throw new NoAnswerError({ code: 'UNREADABLE', message, reason: 'unreadable', cause: parsed.error });
}
