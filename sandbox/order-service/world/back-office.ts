/** The acts of the order service's own staff. */
import type { Journal } from '../../lib/http/journal.ts';
import { type DeliveryService, type EventStream, type PreparedEvent, requestEvent } from '../events.ts';
import type { Organization, RequestStatus, ReviewedKind, Subscription } from '../organization.ts';
import type { InOrganization, Organizations } from './organizations.ts';

/** The organization, and the kind of the request; left out: 'cancel_order'. */
type About = InOrganization & { kind?: ReviewedKind };

export type BackOffice = ReturnType<typeof createBackOffice>;

/** Creates the back office: its staff decide reviews and send events. Each action is recorded in the journal. */
export function createBackOffice(context: {
  journal: Journal;
  world: Organizations;
  deliveries: DeliveryService;
  events: EventStream;
}) {
  const { journal, deliveries, events } = context;
  const { organization } = context.world;

  const record = (name: string, request: unknown) =>
    journal.record({ from: 'back-office', to: 'order-service', kind: 'back_office', name, request });

  const deciding =
    (decision: Decision) =>
    (orderId: string, options: About = {}) => {
      record(decision, { orderId, ...options });
      const { organization: of, kind = 'cancel_order' } = options;
      return review(organization(of), { orderId, kind }, decision, events);
    };

  return {
    approve: deciding('approved'),
    deny: deciding('denied'),
    backToPending: deciding('pending'),
    /** Returns the event that a request would send now, so that a test can edit it before `deliver`. */
    prepareEvent: (orderId: string, { kind = 'cancel_order', organization: of }: About = {}) => {
      const order = organization(of).orders.get(orderId);
      if (!order) throw new Error(`there is no order ${orderId}`);
      return requestEvent('updated', order, kind);
    },
    /** Posts any event to an organization's subscriptions; `as` changes where it goes or how it is signed. */
    deliver: (event: PreparedEvent, options: { as?: Partial<Subscription> } & InOrganization = {}) => {
      const { as = {}, organization: of } = options;
      record('deliver', { event, as });
      return organization(of).subscriptions.map((to) => deliveries.deliver({ ...to, ...as }, event));
    },
    deliveries: deliveries.list,
    redeliver: (deliveryId: string) => {
      record('redeliver', { deliveryId });
      return deliveries.redeliver(deliveryId);
    },
    events: { pause: events.pause, resume: events.resume, takeKept: events.takeKept },
  };
}

type Decision = Extract<RequestStatus, 'approved' | 'denied' | 'pending'>;

/** Applies a reviewer's decision to a request, and sends the event to every subscription. */
export function review(
  organization: Organization,
  { orderId, kind }: { orderId: string; kind: ReviewedKind },
  decision: Decision,
  events: EventStream,
  now: () => number = Date.now,
) {
  const order = organization.orders.get(orderId);
  const request = order?.requests[kind];
  if (!order || !request) throw new Error(`${orderId} of ${organization.id} has nothing to review`);
  if (request.status === 'canceled')
    throw new Error(`${kind} of ${orderId} was done at once, without review`);
  const updatedAt = laterThan(request.updatedAt, now());
  order.requests[kind] = { ...request, status: decision, updatedAt };
  return events.emit(organization, requestEvent('updated', order, kind));
}

/** Returns the time, but always later than the previous change, so that two decisions in one millisecond stay in order. */
function laterThan(earlier: string, now: number): string {
  return new Date(Math.max(now, Date.parse(earlier) + 1)).toISOString();
}
