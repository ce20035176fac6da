import { cancellationEvent, type Emission, type EventStream } from '../events.ts';
import type { CancellationStatus, Organization } from '../organization.ts';

/** The decisions of a reviewer. */
export type Decision = Extract<CancellationStatus, 'approved' | 'denied' | 'pending'>;

/** Applies a reviewer's decision to a cancellation, and sends the event to every subscription. */
export function review(
  organization: Organization,
  orderId: string,
  decision: Decision,
  events: EventStream,
  now: () => number = Date.now,
): Emission {
  const order = organization.orders.get(orderId);
  const cancellation = order?.cancellation;
  if (!order || !cancellation) throw new Error(`${orderId} of ${organization.id} has nothing to review`);
  if (cancellation.status === 'canceled') throw new Error(`${orderId} was cancelled at once, without review`);
  order.cancellation = {
    ...cancellation,
    status: decision,
    updatedAt: laterThan(cancellation.updatedAt, now()),
  };
  return events.emit(organization, cancellationEvent('updated', order));
}

/** Returns the time, but always later than the previous change, so that two decisions in one millisecond stay in order. */
function laterThan(earlier: string, now: number): string {
  return new Date(Math.max(now, Date.parse(earlier) + 1)).toISOString();
}
