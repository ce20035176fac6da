/** Serves the operations of the interface, and records the calls. */
import { runExchange } from '../lib/faults/exchange.ts';
import type { Fault, Faults } from '../lib/faults/faults.ts';
import type { Journal } from '../lib/http/journal.ts';
import { matchPath } from '../lib/http/match-path.ts';
import type { HttpReply, HttpRequest } from '../lib/http/server.ts';
import type { EventStream } from './events.ts';
import { OPERATIONS, type Operation, refusal } from './operations.ts';
import type { ApiToken, Organization } from './organization.ts';

type OperationContext = {
  journal: Journal;
  faults: Faults;
  organizations: Map<string, Organization>;
  events: EventStream;
  calls: ReceivedCall[];
};

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

/** Runs the operation of a request, with the same answer as over HTTP. @param route undefined if no route matches */
export function runOperation(
  route: ReturnType<typeof findRoute>,
  authorization: string | undefined,
  body: string,
  { organizations, events, now }: Pick<OperationContext, 'organizations' | 'events'> & { now: () => number },
): HttpReply {
  // The interface does not show the answer for a path that does not exist.
  if (!route) return refusal(404, 'NOT_FOUND', 'No such route');
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const { operation } = route;
  const isTaken = (known: ApiToken) =>
    known.token === token && (known.acceptedBy?.includes(operation.name) ?? true);
  const organization = [...organizations.values()].find(({ tokens }) => tokens.some(isTaken));
  if (!organization) return refusal(401, 'UNAUTHORIZED', 'Missing or invalid authentication token');
  return operation.run({ organization, token, id: route.id, body, events, now });
}

function faultReply(fault: Extract<Fault, { type: 'rate_limit' | 'error' }>) {
  if (fault.type === 'error') throw new Error('the order service has no "error" fault; order a "status"');
  // The interface does not show rate limits; this is HTTP's standard answer.
  return {
    ...refusal(429, 'RATE_LIMITED', 'Too many requests'),
    headers: { 'retry-after': `${fault.retryAfterSeconds}` },
  };
}

export type ReceivedCall = {
  /** The operation's name, or 'unknown_route'. */
  operation: string;
  /** The decoded path segment: an order or an offer. */
  id: string;
  target: string;
  /** Epoch milliseconds. */
  at: number;
  /** The status of the operation, even if it was not answered; undefined if a fault kept the operation from running. */
  status?: number;
};

/** Finds the operation of a raw request target, and the decoded `{id}` of its path: '' if its route has none. */
export function findRoute(method: string, target: string): { operation: Operation; id: string } | undefined {
  const path = target.replace(/\?.*/s, '');
  for (const operation of OPERATIONS) {
    for (const route of operation.routes) {
      const params = route.method === method ? matchPath(route.path, path) : undefined;
      if (params) return { operation, id: params['id'] ?? '' };
    }
  }
  return undefined;
}
