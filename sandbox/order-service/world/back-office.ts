import type { Journal } from '../../lib/http/journal.ts';
import type { Delivery, DeliveryService, PreparedEvent } from '../deliveries.ts';
import { cancellationEvent, type Emission, type EventStream } from '../events.ts';
import type { Subscription } from '../organization.ts';
import type { Customers, InOrganization } from './customers.ts';
import { type Decision, review } from './review.ts';

/** The actions of the service's own staff: they decide reviews and send events. */
export type BackOffice = {
  approve(orderId: string, options?: InOrganization): Emission;
  deny(orderId: string, options?: InOrganization): Emission;
  backToPending(orderId: string, options?: InOrganization): Emission;
  /** Returns the event that an order's cancellation would send now, so that a test can edit it before `deliver`. */
  prepareEvent(orderId: string, options?: { change?: 'created' | 'updated' } & InOrganization): PreparedEvent;
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

  const decide = (decision: Decision) => (orderId: string, options: InOrganization) => {
    record(decision, { orderId, ...options });
    return review(organization(options.organization), orderId, decision, events);
  };

  return {
    approve: (orderId, options = {}) => decide('approved')(orderId, options),
    deny: (orderId, options = {}) => decide('denied')(orderId, options),
    backToPending: (orderId, options = {}) => decide('pending')(orderId, options),
    prepareEvent: (orderId, { change = 'updated', organization: of } = {}) => {
      const order = organization(of).orders.get(orderId);
      if (!order) throw new Error(`there is no order ${orderId}`);
      return cancellationEvent(change, order);
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
