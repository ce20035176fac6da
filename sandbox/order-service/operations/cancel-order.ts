import { z } from 'zod';
import type { HttpReply } from '../../lib/http/server.ts';
import { tryJson } from '../../lib/json.ts';
import { validationError } from '../answers.ts';
import { cancellationEvent } from '../events.ts';
import type { Order } from '../organization.ts';
import type { Operation } from './operation.ts';

const CancelOrderBody = z.object({ reason: z.string().trim().min(1) });

/** Cancels at once, or queues the request for a review whose outcome events announce. */
export const cancelOrder: Operation = {
  name: 'cancel_order',
  routes: [
    { method: 'POST', path: '/orders/{id}/cancel' },
    { method: 'POST', path: '/orders/orders/{id}/cancel' },
  ],
  run: ({ organization, id, body, events, now }) => {
    const parsed = CancelOrderBody.safeParse(tryJson(body));
    if (!parsed.success) return validationError('reason', 'is required');

    // The interface does not show the answer for an unknown or already cancelled order;
    // VALIDATION_ERROR is the only listed code that can mean it.
    const order = organization.orders.get(id);
    if (!order) return validationError('id', 'is not an order of this organization');
    if (order.cancellation && order.cancellation.status !== 'denied') {
      return validationError('id', `already has a cancellation that is ${order.cancellation.status}`);
    }

    const reply = request(order, parsed.data.reason, now());
    if (order.reviewed) events.emit(organization, cancellationEvent('created', order));
    return reply;
  },
};

function request(order: Order, reason: string, at: number): HttpReply {
  const now = new Date(at).toISOString();
  const status = order.reviewed ? 'pending' : 'canceled';
  order.cancellation = { status, reason, createdAt: now, updatedAt: now };
  return {
    status: 201,
    body: { cancellationStatus: status, cancellationReason: reason, requestedAt: now },
  };
}
