import { z } from 'zod';
import { type ControlRoute, journalRoute, nothing, route } from '../lib/control.ts';
import type { Journal } from '../lib/http/journal.ts';
import { definedFields } from '../lib/json.ts';
import { REVIEWED_KINDS } from './organization.ts';
import type { BackOffice } from './world/back-office.ts';
import type { Organizations } from './world/organizations.ts';

const id = z.string().min(1);
const organization = id.optional();
const Inside = z.strictObject({ organization });
const Decided = z.strictObject({ kind: z.enum(REVIEWED_KINDS).optional(), organization });
const Token = z.strictObject({ kind: z.enum(['rest', 'graphql']).default('rest'), organization });
const Subscription = z.strictObject({ url: z.url(), secret: id, organization });

export function orderServiceRoutes(service: Organizations & BackOffice, journal: Journal): ControlRoute[] {
  const decide = (name: string, decision: 'approve' | 'deny' | 'backToPending') =>
    route('POST', `/control/orders/{id}/${name}`, Decided, ({ params, input }) =>
      service[decision](params['id'] ?? '', definedFields(input)),
    );
  return [
    route('GET', '/control/organizations/{id}', nothing, ({ params }) => {
      const { tokens, subscriptions, ...shown } = service.organization(params['id']);
      return { ...shown, subscriptions: subscriptions.map(({ secret: _, ...rest }) => rest) };
    }),
    decide('approve', 'approve'),
    decide('deny', 'deny'),
    decide('back-to-pending', 'backToPending'),
    route('POST', '/control/tokens', Token, ({ input }) => ({
      token: service.issueToken(definedFields(input)),
    })),
    route('POST', '/control/subscriptions', Subscription, ({ input }) => {
      const { secret: _, ...shown } = service.subscribe(definedFields(input));
      return shown;
    }),
    route('DELETE', '/control/subscriptions/{id}', Inside, ({ params, input }) =>
      service.unsubscribe(params['id'] ?? '', definedFields(input)),
    ),
    route('POST', '/control/deliveries/{id}/redeliver', nothing, ({ params }) =>
      service.redeliver(params['id'] ?? ''),
    ),
    journalRoute(journal),
  ];
}
