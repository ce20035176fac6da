/**
 * Implements the client of the order service: its operations, by the names of order-service-interface.md, section 4.
 */
import { z } from 'zod';
import type { Limits } from '../http/exchange.ts';
import type { ClaimGuard } from '../requests/ports/ports.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { RUNTIME } from '../runtime.ts';
import { NoAnswerError } from './errors.ts';
import { OfferCancelResult, OfferSendResult, OrderCancellation, SubBrand } from './schemas.ts';
import { createShown } from './shown.ts';
import { segment } from './transport/path.ts';
import { type Call, request, type Service } from './transport/request.ts';
import { createTransport, type Transport } from './transport/transport.ts';

/**
 * The operations. Each throws an OrderServiceError for everything but a success; its texts are safe to display
 * (shown.ts), and so are those of sub-brands. A status word is unchanged, because it decides. The guard is that of the
 * call's claim.
 */
export type OrderService = {
  /** POST /orders/{id}/cancel. A 201 means only "received": read `cancellationStatus`. */
  cancelOrder(token: string, id: string, reason: string, guard: ClaimGuard): Promise<OrderCancellation>;
  /** POST /prod/offers/{id}/send. The offer must be pending. */
  sendOffer(token: string, id: string, guard: ClaimGuard): Promise<OfferSendResult>;
  /** POST /prod/offers/{id}/cancel. */
  cancelOffer(token: string, id: string, guard: ClaimGuard): Promise<OfferCancelResult>;
  /** GET /prod/offers/sub-brands: all of the caller's organization. Read-only. */
  getSubBrands(token: string): Promise<SubBrand[]>;
  /** DELETE /token: the token revokes itself. Only a 204 is a success. A 401 means that it was already dead. */
  revokeToken(token: string): Promise<void>;
  close(): Promise<void>;
};

/** Section 9: the deprecated route behaves identically, for services without the current one. */
export const CANCEL_ROUTES = { current: '/orders', deprecated: '/orders/orders' } as const;
export type CancelRoute = keyof typeof CANCEL_ROUTES;

/**
 * A whole call takes less than half of the claim that covers it. One megabyte is far more than any answer in the
 * interface, and still fits 5,000 sub-brands.
 */
const LIMITS: Limits = { deadlineMs: 20_000, maxBytes: 1_048_576 };

/** The limit of a sub-brand's texts. It is our own: the interface states none. */
const LONGEST_TEXT = 200;

/** Made once: making a schema costs more than reading with it. */
const AnyList = z.array(z.unknown());

type Options = {
  cancelRoute?: CancelRoute;
  limits?: Limits | undefined;
  transport?: Transport;
  /** Epoch milliseconds: a `Retry-After` may name a date. */
  now?: Runtime['now'];
};

/** @param baseUrl https, or http on a loopback address; its path comes before every path of the interface */
export function createOrderService(
  baseUrl: URL,
  {
    cancelRoute = 'current',
    limits = LIMITS,
    transport = createTransport(baseUrl.origin),
    now = RUNTIME.now,
  }: Options = {},
): OrderService {
  const service: Service = { transport, basePath: baseUrl.pathname.replace(/\/+$/, ''), limits, now };
  const post = (call: Omit<Call, 'method'>) => request(service, { ...call, method: 'POST' });
  return {
    async cancelOrder(token, id, reason, guard) {
      const path = `${CANCEL_ROUTES[cancelRoute]}/${segment(id)}/cancel`;
      return read(
        OrderCancellation,
        await post({ path, token, guard, body: { reason }, outcome: 'cancellationStatus' }),
      );
    },
    async sendOffer(token, id, guard) {
      const path = `/prod/offers/${segment(id)}/send`;
      return read(OfferSendResult, await post({ path, token, guard, outcome: 'success' }));
    },
    async cancelOffer(token, id, guard) {
      const path = `/prod/offers/${segment(id)}/cancel`;
      const result = read(OfferCancelResult, await post({ path, token, guard, outcome: 'status' }));
      const isOther = result.offerId !== undefined && result.offerId.toLowerCase() !== id.toLowerCase();
      if (isOther) throw unreadable('The answer was about another offer.');
      return result;
    },
    async getSubBrands(token) {
      const path = '/prod/offers/sub-brands';
      const list = read(AnyList, await request(service, { method: 'GET', path, token }));
      const shown = createShown(token);
      // Parsed one by one, so that the first invalid one ends it: a schema of the whole list collects an issue for
      // each.
      return list.map((each) => {
        const { id, name } = read(SubBrand, each);
        return { id: shown(id, LONGEST_TEXT), name: shown(name, LONGEST_TEXT) };
      });
    },
    async revokeToken(token) {
      await request(service, { method: 'DELETE', path: '/token', token, success: 204 });
    },
    close: () => transport.close(),
  };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'body';
  throw unreadable('The answer did not have the shape that the interface shows.', `${where}: ${issue?.code}`);
}

function unreadable(message: string, problem?: string): NoAnswerError {
  return new NoAnswerError({
    code: 'UNREADABLE',
    message,
    reason: 'unreadable',
    ...(problem === undefined ? {} : { cause: new Error(problem) }),
  });
}
