/** Connects one replica to the local order service (sandbox/order-service), one simulated exchange for each operation. */
import type { HttpReply } from '../../../sandbox/lib/http/server.ts';
import { REVIEWED, REVIEWED_KINDS } from '../../../sandbox/order-service/organization.ts';
import { findRoute, runOperation } from '../../../sandbox/order-service/serve-operation.ts';
import { checkClaim, type Transport } from '../../../src/order-service/transport.ts';
import { teamOf } from '../teams.ts';
import type { ServiceCall, Witness } from '../witness/witness.ts';
import type { ServiceSide } from '../world/service-side.ts';
import { exchangeOver } from './exchange.ts';
import type { Machine } from './machine.ts';

/** The fields that tell the outcome (order-service-interface.md, section 2). An offer's answer also has an id, or nothing else. */
const OUTCOME_FIELDS = [
  ...Object.values(REVIEWED).map(({ statusField }) => statusField),
  'status',
  'success',
];

/** Replaces the outcome by a word that the interface does not list, or removes it. */
function withOddStatus(body: unknown, fault: string): unknown {
  if (typeof body !== 'object' || body === null || !fault.endsWith(' word') || 'code' in body) return body;
  const field = OUTCOME_FIELDS.find((each) => each in body);
  return field ? { ...body, [field]: fault === 'odd word' ? 'scheduled' : undefined } : body;
}

/** The request about an order that a call has made or has met; undefined if the service reviews no such requests. */
function requestMet({ organizations }: ServiceSide, { token, id, operation }: ServiceCall) {
  const owner = [...organizations.values()].find(({ tokens }) => tokens.some((each) => each.token === token));
  const kind = REVIEWED_KINDS.find((each) => each === operation);
  const request = kind && owner?.orders.get(id)?.requests[kind];
  return request && { request, fields: REVIEWED[kind] };
}

/** Denies a reviewed request in the answer to the call, which the service otherwise accepts without a review. */
function denyAtOnce(service: ServiceSide, call: ServiceCall, reply: HttpReply): void {
  const { request, fields } = requestMet(service, call) ?? {};
  if (!fields || reply.status !== 201 || request?.status !== 'canceled') return;
  request.status = 'denied';
  reply.body = { ...(reply.body as object), [fields.statusField]: 'denied' };
}

/** Answers a call as the one before it, whose request is under review: the interface does not say that it is refused. */
function answerAgain(service: ServiceSide, call: ServiceCall, reply: HttpReply): void {
  const { request, fields } = requestMet(service, call) ?? {};
  if (!fields || reply.status !== 400 || request?.status !== 'pending') return;
  const { status, reason, createdAt: requestedAt } = request;
  reply.status = 201;
  reply.body = { [fields.statusField]: status, [fields.reasonField]: reason, requestedAt };
}

export function simulatedOrderService(machine: Machine, service: ServiceSide, witness: Witness): Transport {
  return {
    send(call, limits, guard) {
      const authorization = call.headers['authorization'];
      const token = authorization?.replace('Bearer ', '') ?? '';
      const route = findRoute(call.method, call.path);
      const operation = route?.operation.name ?? 'unknown route';
      const serviceCall = witness.onCall({ token, operation, id: route?.id ?? '' });
      const effect = witness.currentEffect();
      return exchangeOver(machine, {
        boundary: 'service',
        name: operation,
        team: teamOf(token),
        limits,
        inTime: guard?.inTime ?? (() => true),
        onSend: () => witness.onSend(effect, operation),
        check: () => checkClaim(guard),
        serve(fault) {
          const reply = runOperation(route, authorization, call.body ?? '', service);
          if (service.answersAgain) answerAgain(service, serviceCall, reply);
          if (fault.startsWith('denied at once')) denyAtOnce(service, serviceCall, reply);
          witness.onReceived(serviceCall, reply);
          const body = reply.body === undefined ? '' : JSON.stringify(withOddStatus(reply.body, fault));
          return { status: reply.status, headers: reply.headers ?? {}, body };
        },
        onAnswered: (answer) => witness.onAnswered(serviceCall, answer, machine.process),
      });
    },
    close: async () => {},
  };
}
