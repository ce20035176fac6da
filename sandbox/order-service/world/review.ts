import { type Emission, type EventStream, requestEvent } from '../events.ts';
import type { Organization, RequestStatus } from '../organization.ts';
import type { ReviewedKind } from '../reviewed.ts';

/** The decisions of a reviewer. */
export type Decision = Extract<RequestStatus, 'approved' | 'denied' | 'pending'>;

/** Applies a reviewer's decision to a request, and sends the event to every subscription. */
export function review(
  organization: Organization,
  { orderId, kind }: { orderId: string; kind: ReviewedKind },
  decision: Decision,
  events: EventStream,
  now: () => number = Date.now,
): Emission {
  const order = organization.orders.get(orderId);
  const request = order?.requests[kind];
  if (!order || !request) throw new Error(`${orderId} of ${organization.id} has nothing to review`);
  if (request.status === 'canceled')
    throw new Error(`${kind} of ${orderId} was done at once, without review`);
  order.requests[kind] = {
    ...request,
    status: decision,
    updatedAt: laterThan(request.updatedAt, now()),
  };
  return events.emit(organization, requestEvent('updated', order, kind));
}

/** Returns the time, but always later than the previous change, so that two decisions in one millisecond stay in order. */
function laterThan(earlier: string, now: number): string {
  return new Date(Math.max(now, Date.parse(earlier) + 1)).toISOString();
}
