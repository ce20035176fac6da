import type { Faults } from '../lib/control/faults.ts';
import { runExchange } from '../lib/http/exchange.ts';
import type { Journal } from '../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../lib/http/server.ts';
import { refusal } from './answers.ts';
import type { ReceivedCall } from './calls.ts';
import type { EventStream } from './events.ts';
import { findRoute, type Route } from './router.ts';
import type { Organization } from './world/organizations.ts';

/** What the operations work on. */
export type OperationContext = {
  journal: Journal;
  faults: Faults;
  organizations: Map<string, Organization>;
  events: EventStream;
  calls: ReceivedCall[];
};

/** Answers one request to the interface. */
export function serveOperation(request: HttpRequest, context: OperationContext): Promise<void> {
  const { method, target, headers, body } = request;
  const route = findRoute(method, target);
  const operation = route?.operation.name ?? 'unknown_route';
  const call: ReceivedCall = { operation, id: route?.id ?? '', target, at: Date.now() };
  context.calls.push(call);
  return runExchange(request, {
    journal: context.journal,
    faults: context.faults,
    to: 'order-service',
    kind: 'order_service',
    name: operation,
    request: { method, target, id: call.id, authorization: headers.authorization ?? null, body },
    refusal: faultReply,
    process: () => {
      const reply = runOperation(route, headers.authorization, body, { ...context, now: Date.now });
      call.status = reply.status;
      return reply;
    },
  });
}

/** Runs what a request asks for, as it is answered over HTTP. @param route undefined where there is none */
export function runOperation(
  route: Route | undefined,
  authorization: string | undefined,
  body: string,
  { organizations, events, now }: Pick<OperationContext, 'organizations' | 'events'> & { now: () => number },
): HttpReply {
  // What the service says on a path that it doesn't have is not shown.
  if (!route) return refusal(404, { code: 'NOT_FOUND', message: 'No such route' });
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const organization = organizationOfToken(organizations, token, route.operation.name);
  if (!organization) {
    const message = 'Missing or invalid authentication token';
    return refusal(401, { code: 'UNAUTHORIZED', message });
  }
  return route.operation.run({ organization, token, id: route.id, body, events, now });
}

function organizationOfToken(organizations: Map<string, Organization>, token: string, operation: string) {
  return [...organizations.values()].find(({ tokens }) =>
    tokens.some((known) => known.token === token && (known.acceptedBy?.includes(operation) ?? true)),
  );
}

function faultReply(
  fault: { type: 'rate_limit'; retryAfterSeconds: number } | { type: 'error'; code: string },
) {
  if (fault.type === 'error') throw new Error('the order service has no "error" fault; order a "status"');
  // Rate limits are not shown by the interface; this is HTTP's own way to say it.
  return {
    ...refusal(429, { code: 'RATE_LIMITED', message: 'Too many requests' }),
    headers: { 'retry-after': `${fault.retryAfterSeconds}` },
  };
}
