import type { Journal } from '../../lib/http/journal.ts';
import type { Delivery, DeliveryService, PreparedEvent } from '../deliveries.ts';
import { type Emission, type EventStream, requestEvent } from '../events.ts';
import type { Subscription } from '../organization.ts';
import type { ReviewedKind } from '../reviewed.ts';
import type { Customers, InOrganization } from './customers.ts';
import { type Decision, review } from './review.ts';

/** The organization, and the kind of the request; left out: 'cancel_order'. */
type About = InOrganization & { kind?: ReviewedKind };

/** The actions of the service's own staff: they decide reviews and send events. */
export type BackOffice = {
  approve(orderId: string, options?: About): Emission;
  deny(orderId: string, options?: About): Emission;
  backToPending(orderId: string, options?: About): Emission;
  /** Returns the event that a request would send now, so that a test can edit it before `deliver`. */
  prepareEvent(orderId: string, options?: { change?: 'created' | 'updated' } & About): PreparedEvent;
  /** Posts any event to an organization's subscriptions; `as` changes where it goes or how it is signed. */
  deliver(event: PreparedEvent, options?: { as?: Partial<Subscription> } & InOrganization): Delivery[];
  deliveries(): Delivery[];
  redeliver(deliveryId: string): Delivery;
  events: Pick<EventStream, 'pause' | 'resume' | 'takeKept'>;
};

/** Creates the back office. Each action is recorded in the journal. */
export function createBackOffice(context: {
  journal: Journal;
  customers: Customers;
  deliveries: DeliveryService;
  events: EventStream;
}): BackOffice {
  const { journal, deliveries, events } = context;
  const { organization } = context.customers;

  const record = (name: string, request: unknown) =>
    journal.record({ from: 'back-office', to: 'order-service', kind: 'back_office', name, request });

  const decide = (decision: Decision) => (orderId: string, options: About) => {
    record(decision, { orderId, ...options });
    const { organization: of, kind = 'cancel_order' } = options;
    return review(organization(of), { orderId, kind }, decision, events);
  };

  return {
    approve: (orderId, options = {}) => decide('approved')(orderId, options),
    deny: (orderId, options = {}) => decide('denied')(orderId, options),
    backToPending: (orderId, options = {}) => decide('pending')(orderId, options),
    prepareEvent: (orderId, { change = 'updated', kind = 'cancel_order', organization: of } = {}) => {
      const order = organization(of).orders.get(orderId);
      if (!order) throw new Error(`there is no order ${orderId}`);
      return requestEvent(change, order, kind);
    },
    deliver: (event, { as = {}, organization: of } = {}) => {
      record('deliver', { event, as });
      return organization(of).subscriptions.map((to) => deliveries.deliver({ ...to, ...as }, event));
    },
    deliveries: deliveries.list,
    redeliver: (deliveryId) => {
      record('redeliver', { deliveryId });
      return deliveries.redeliver(deliveryId);
    },
    events: { pause: events.pause, resume: events.resume, takeKept: events.takeKept },
  };
}
