/** The order service for one replica: the operations of the local one (sandbox/order-service), one exchange each. */
import type { HttpReply } from '../../../sandbox/lib/http/server.ts';
import { findRoute } from '../../../sandbox/order-service/router.ts';
import { runOperation } from '../../../sandbox/order-service/serve-operation.ts';
import { checkClaim } from '../../../src/order-service/transport/dispatchers.ts';
import type { Transport } from '../../../src/order-service/transport/transport.ts';
import type { MadeCall, Witness } from '../witness.ts';
import type { ServiceSide } from '../world/service-side.ts';
import { exchangeOver } from './exchange.ts';
import type { Machine } from './machine.ts';

/** Statuses that the interface does not list: another word, or none. */
function odd(body: unknown, fate: string): unknown {
  const isCancellation = typeof body === 'object' && body !== null && 'cancellationStatus' in body;
  if (!isCancellation || !fate.endsWith(' word')) return body;
  return { ...body, cancellationStatus: fate === 'odd word' ? 'scheduled' : undefined };
}

/** Nobody reviews it, and it is not cancelled all the same. */
function denyAtOnce({ organizations }: ServiceSide, { token, id }: MadeCall, reply: HttpReply): void {
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
      const made = witness.calling({ token, operation, id: route?.id ?? '' });
      const effect = witness.effect();
      return exchangeOver(machine, {
        place: 'service',
        name: operation,
        token,
        limits,
        inTime: guard?.inTime ?? (() => true),
        onLeaving: () => witness.leaving(effect, operation),
        check: () => checkClaim(guard),
        serve(fate) {
          const reply = runOperation(route, call.headers['authorization'], call.body ?? '', service);
          if (fate.startsWith('denied at once')) denyAtOnce(service, made, reply);
          witness.received(made, reply);
          const body = reply.body === undefined ? '' : JSON.stringify(odd(reply.body, fate));
          return { status: reply.status, headers: reply.headers ?? {}, body };
        },
        onAnswered: (answer) => witness.answered(made, answer, machine.life),
      });
    },
    close: async () => {},
  };
}
