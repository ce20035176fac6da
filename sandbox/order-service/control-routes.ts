import { z } from 'zod';
import { type ControlRoute, nothing, route } from '../lib/control/control.ts';
import { faultRoutes, journalRoutes } from '../lib/control/routes.ts';
import { definedFields } from '../lib/defined-fields.ts';
import type { Journal } from '../lib/http/journal.ts';
import type { OrderService } from './types.ts';

const id = z.string().min(1);
const organization = id.optional();
const Inside = z.strictObject({ organization });
const Event = z.strictObject({ topic: z.string(), data: z.record(z.string(), z.unknown()) });
const format = z.enum(['sha256=hex', 'hex', 'base64']).optional();

/** The control API of an order service. */
export function orderServiceRoutes(service: Omit<OrderService, 'close'>, journal: Journal): ControlRoute[] {
  return [
    ...customerRoutes(service),
    ...reviewRoutes(service),
    ...eventRoutes(service),
    ...faultRoutes(service.faults),
    ...journalRoutes(journal),
    route(
      'GET',
      '/control/calls',
      z.strictObject({ orderId: id.optional(), operation: id.optional() }),
      ({ input }) => service.calls(definedFields(input)),
    ),
  ];
}

function customerRoutes(service: Omit<OrderService, 'close'>): ControlRoute[] {
  const Order = z.strictObject({ id, reviewed: z.boolean().default(false), organization });
  const Offer = z.strictObject({ id, status: z.string().default('pending'), organization });
  const Token = z.strictObject({ kind: z.enum(['rest', 'graphql']).default('rest'), organization });
  const Subscription = z.strictObject({ url: z.url(), secret: id, format, organization });
  return [
    route('GET', '/control/organizations/:id', nothing, ({ params }) => {
      const { tokens, subscriptions, ...shown } = service.organization(params['id']);
      return { ...shown, subscriptions: subscriptions.map(({ secret: _, ...rest }) => rest) };
    }),
    route('POST', '/control/orders', Order, ({ input }) => service.addOrder(definedFields(input))),
    route('POST', '/control/offers', Offer, ({ input }) => service.addOffer(definedFields(input))),
    route('POST', '/control/tokens', Token, ({ input }) => ({
      token: service.issueToken(definedFields(input)),
    })),
    route('POST', '/control/subscriptions', Subscription, ({ input }) => {
      const { secret: _, ...shown } = service.subscribe(definedFields(input));
      return shown;
    }),
    route('DELETE', '/control/subscriptions/:id', Inside, ({ params, input }) =>
      service.unsubscribe(params['id'] ?? '', definedFields(input)),
    ),
  ];
}

function reviewRoutes(service: Omit<OrderService, 'close'>): ControlRoute[] {
  const decide = (name: string, decision: 'approve' | 'deny' | 'backToPending') =>
    route('POST', `/control/orders/:id/${name}`, Inside, ({ params, input }) =>
      service[decision](params['id'] ?? '', definedFields(input)),
    );
  return [decide('approve', 'approve'), decide('deny', 'deny'), decide('back-to-pending', 'backToPending')];
}

function eventRoutes(service: Omit<OrderService, 'close'>): ControlRoute[] {
  const Deliver = z.strictObject({ event: Event, secret: id.optional(), format, organization });
  return [
    route('GET', '/control/deliveries', nothing, () => service.deliveries()),
    route('POST', '/control/deliveries/:id/redeliver', nothing, ({ params }) =>
      service.redeliver(params['id'] ?? ''),
    ),
    route('POST', '/control/events', Deliver, ({ input: { event, organization: of, ...as } }) =>
      service.deliver(event, { as: definedFields(as), ...(of !== undefined && { organization: of }) }),
    ),
    route('POST', '/control/events/pause', nothing, () => service.events.pause()),
    route('POST', '/control/events/resume', nothing, () => service.events.resume()),
    route('POST', '/control/events/take-kept', nothing, () => service.events.takeKept()),
  ];
}
