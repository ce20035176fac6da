/** Connects one replica to the local order service (sandbox/order-service), one simulated exchange for each operation. */
import type { HttpReply } from '../../../sandbox/lib/http/server.ts';
import { findRoute } from '../../../sandbox/order-service/router.ts';
import { runOperation } from '../../../sandbox/order-service/serve-operation.ts';
import { checkClaim, type Transport } from '../../../src/order-service/transport/transport.ts';
import { teamOf } from '../teams.ts';
import type { ServiceCall, Witness } from '../witness/witness.ts';
import type { ServiceSide } from '../world/service-side.ts';
import { exchangeOver } from './exchange.ts';
import type { Machine } from './machine.ts';

/** Replaces the status by one that the interface does not list, or removes it. */
function withOddStatus(body: unknown, fault: string): unknown {
  const isCancellation = typeof body === 'object' && body !== null && 'cancellationStatus' in body;
  if (!isCancellation || !fault.endsWith(' word')) return body;
  return { ...body, cancellationStatus: fault === 'odd word' ? 'scheduled' : undefined };
}

/** Denies a cancellation in the answer to the call, which the service otherwise accepts without a review. */
function denyAtOnce({ organizations }: ServiceSide, { token, id }: ServiceCall, reply: HttpReply): void {
  const owner = [...organizations.values()].find(({ tokens }) => tokens.some((each) => each.token === token));
  const cancellation = owner?.orders.get(id)?.cancellation;
  if (reply.status !== 201 || cancellation?.status !== 'canceled') return;
  cancellation.status = 'denied';
  reply.body = { ...(reply.body as object), cancellationStatus: 'denied' };
}

export function simulatedOrderService(machine: Machine, service: ServiceSide, witness: Witness): Transport {
  return {
    send(call, limits, { token, guard }) {
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
          const reply = runOperation(route, call.headers['authorization'], call.body ?? '', service);
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
