/** Cancelling an order. The service may review it for days, and announces what came of it. */
import { z } from 'zod';
import { type Answer, ServiceTime, serviceStatus } from '../cause.ts';
import type { RequestKind } from '../request-kind.ts';

/** Section 2, "Order cancellation request". Without `requestedAt`, events are matched by the time of the call. */
const Cancellation = z.object({
  cancellationStatus: z.string().optional().catch(undefined),
  requestedAt: ServiceTime,
});

/** An absent or unlisted status means that the service accepted the request, and nothing about the order. */
function meaningOf({ cancellationStatus, requestedAt }: z.infer<typeof Cancellation>): Answer {
  const status = cancellationStatus === undefined ? undefined : serviceStatus(cancellationStatus);
  return {
    type: 'said',
    status: status ?? 'accepted',
    ...(status || cancellationStatus === undefined ? {} : { word: cancellationStatus }),
    ...(requestedAt === undefined ? {} : { requestedAt }),
  };
}

export const cancelOrder: RequestKind = {
  resource: 'order',
  reason: 'required',
  command: '/cancel-order',
  words: {
    title: 'Cancel an order',
    verb: 'cancel order',
    submit: 'Request cancellation',
    help: {
      usage: '[order] [reason]',
      meaning: 'requests that an order is cancelled; the outcome is posted in the thread of your request.',
    },
    done: 'is cancelled',
    participle: 'cancelled',
    did: 'cancelled the order',
  },
  call: {
    path: '/orders/{id}/cancel',
    deprecatedPath: '/orders/orders/{id}/cancel',
    body: ({ reason }) => ({ reason }),
    outcomeField: 'cancellationStatus',
    schema: Cancellation.transform((body) => ({ answer: meaningOf(body) })),
  },
  topic: 'order.cancellationrequest',
  recordable: ['approved', 'denied', 'in_review'],
  doneBy: ['approved', 'canceled', 'already_canceled'],
  customerReplies: {
    canceled: 'replyOrderCanceled',
    approved: 'replyOrderCanceled',
    already_canceled: 'replyOrderCanceled',
    under_review: 'replyOrderInReview',
    denied: 'replyOrderNotCanceled',
    declined: 'replyOrderNotCanceled',
  },
};
