/** The operations of order-service-interface.md: their routes, and their answers. */
import { z } from 'zod';
import { parseJson } from '../../src/json.ts';
import type { HttpReply } from '../lib/http/server.ts';
import { type EventStream, requestEvent } from './events.ts';
import {
  type Order,
  type Organization,
  REVIEWED,
  REVIEWED_KINDS,
  type Reviewed,
  type ReviewedKind,
} from './organization.ts';

export function refusal(status: number, code: string, message: string, more: object = {}): HttpReply {
  return { status, body: { code, message, ...more } };
}

function validationError(field: string, error: string): HttpReply {
  const message = `The request is invalid: ${field} ${error}`;
  return refusal(400, 'VALIDATION_ERROR', message, { details: [{ field, error }] });
}

type OperationCall = {
  organization: Organization;
  token: string;
  /** The decoded path segment; empty where the route has none. */
  id: string;
  body: string;
  events: EventStream;
  /** Epoch milliseconds. */
  now: () => number;
};

export type Operation = {
  name: string;
  routes: readonly { method: string; path: string }[];
  run(call: OperationCall): HttpReply;
};

/**
 * Performs the request at once, or leaves it pending until the back office decides. Events announce a pending request, and each
 * decision about it.
 */
function reviewedOperation(kind: ReviewedKind): Operation {
  const { noun, paths }: Reviewed = REVIEWED[kind];
  const Body = z.object({ reason: z.string().trim().min(1) });
  return {
    name: kind,
    routes: paths.map((path) => ({ method: 'POST', path })),
    run: ({ organization, id, body, events, now }) => {
      const parsed = Body.safeParse(parseJson(body));
      if (!parsed.success) return validationError('reason', 'is required');

      // The interface does not show the answer for an unknown or already cancelled order;
      // VALIDATION_ERROR is the only listed code that can mean it.
      const order = organization.orders.get(id);
      if (!order) return validationError('id', 'is not an order of this organization');
      const former = order.requests[kind]?.status ?? 'denied';
      if (former !== 'denied') return validationError('id', `already has a ${noun} that is ${former}`);

      const reply = request(order, kind, parsed.data.reason, now());
      if (order.reviewed) events.emit(organization, requestEvent('created', order, kind));
      return reply;
    },
  };
}

function request({ reviewed, requests }: Order, kind: ReviewedKind, reason: string, at: number): HttpReply {
  const { statusField, reasonField }: Reviewed = REVIEWED[kind];
  const status = reviewed ? 'pending' : 'canceled';
  const requestedAt = new Date(at).toISOString();
  requests[kind] = { status, reason, createdAt: requestedAt, updatedAt: requestedAt };
  return { status: 201, body: { [statusField]: status, [reasonField]: reason, requestedAt } };
}

// The interface does not show the HTTP statuses of offers: 200 for success, and 404, 403 and 409 for refusals are assumptions.

/** Sends a pending offer. The interface does not show its refusals, so they have the codes of cancelling an offer. */
const sendOffer: Operation = {
  name: 'send_offer',
  routes: [{ method: 'POST', path: '/prod/offers/{id}/send' }],
  run: ({ organization, id, now }) => {
    const offer = organization.offers.get(id);
    if (!offer) return notFound;
    if (offer.status !== 'pending') return wrongStatus(`sent: it is ${offer.status}`);
    // The status that public copies of the interface's page show for a sent offer.
    offer.status = 'awaiting_customer';
    return { status: 200, body: { success: true, sentAt: new Date(now()).toISOString() } };
  },
};

const cancelOffer: Operation = {
  name: 'cancel_offer',
  routes: [{ method: 'POST', path: '/prod/offers/{id}/cancel' }],
  run: ({ organization, id, now }) => {
    const offer = organization.offers.get(id);
    if (!offer) return notFound;
    if (offer.forbidden) return refusal(403, 'FORBIDDEN', 'No permission to cancel this offer');
    if (offer.status === 'canceled') return wrongStatus('canceled: it is already canceled');
    offer.status = 'canceled';
    const canceledAt = new Date(now()).toISOString();
    return { status: 200, body: { offerId: id, status: 'CANCELED', canceledAt } };
  },
};

const notFound = refusal(404, 'OFFER_NOT_FOUND', 'Offer not found');

const wrongStatus = (why: string) => refusal(409, 'OFFER_CANCELLATION_ERROR', `The offer cannot be ${why}`);

const revokeToken: Operation = {
  name: 'revoke_token',
  routes: [{ method: 'DELETE', path: '/token' }],
  run: ({ organization, token }) => {
    organization.tokens = organization.tokens.filter((known) => known.token !== token);
    return { status: 204 };
  },
};

/** Lists the organization's sub-brands. The interface does not show the status of SUB_BRANDS_NOT_FOUND, so 404 is an assumption. */
const getSubBrands: Operation = {
  name: 'get_sub_brands',
  routes: [{ method: 'GET', path: '/prod/offers/sub-brands' }],
  run: ({ organization }) =>
    organization.subBrands.length > 0
      ? { status: 200, body: organization.subBrands }
      : refusal(404, 'SUB_BRANDS_NOT_FOUND', 'No sub-brands found'),
};

export const OPERATIONS: readonly Operation[] = [
  ...REVIEWED_KINDS.map(reviewedOperation),
  getSubBrands,
  sendOffer,
  cancelOffer,
  revokeToken,
];
