/** Starts a local order service. */
import { createFaults } from '../lib/faults/faults.ts';
import type { Journal } from '../lib/http/journal.ts';
import { startHttpServer } from '../lib/http/server.ts';
import { createDeliveries, createEventStream } from './events.ts';
import { type ReceivedCall, serveOperation } from './serve-operation.ts';
import { createBackOffice } from './world/back-office.ts';
import { createOrganizations } from './world/organizations.ts';
import { seedOrganizations } from './world/seed.ts';

/** The settings of the service; every field but the journal has a default. */
export type OrderServiceOptions = {
  journal: Journal;
  port?: number;
  /** The delays before the retries of an event: five by default. */
  eventRetryDelaysMs?: readonly number[];
  eventTimeoutMs?: number;
};

const EVENT_RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

export type OrderService = Awaited<ReturnType<typeof startOrderService>>;

/** Starts an order service with two seeded organizations on loopback, at a free port unless one is given. */
export async function startOrderService({
  journal,
  port,
  eventRetryDelaysMs: retryDelaysMs = EVENT_RETRY_DELAYS_MS,
  eventTimeoutMs: timeoutMs = 10_000,
}: OrderServiceOptions) {
  const faults = createFaults();
  const organizations = new Map(seedOrganizations().map((each) => [each.id, each]));
  const tokens = [...organizations.values()].flatMap((each) => each.tokens);
  for (const { token } of tokens) journal.addSecret(token);
  const deliveries = createDeliveries(journal, { retryDelaysMs, timeoutMs });
  const world = createOrganizations(journal, organizations);
  const events = createEventStream(deliveries, world.organization);
  const calls: ReceivedCall[] = [];
  const context = { journal, faults, organizations, events, calls };
  const server = await startHttpServer({ port, handle: (request) => serveOperation(request, context) });
  /** @throws if a fault was scheduled for nothing */
  const close = async () => {
    try {
      faults.end();
    } finally {
      deliveries.close();
      await server.close();
    }
  };
  return {
    ...world,
    ...createBackOffice({ journal, world, deliveries, events }),
    /** The bot's ORDER_SERVICE_URL. */
    url: server.origin,
    faults,
    /** Returns every request that reached the service, recorded on receipt. */
    calls: ({ orderId, operation }: { orderId?: string; operation?: string } = {}) =>
      calls.filter(
        (call) => call.id === (orderId ?? call.id) && call.operation === (operation ?? call.operation),
      ),
    /** Stops listening at the address (false), or listens again (true). */
    setReachable: (isReachable: boolean) => (isReachable ? server.reopen() : server.close()),
    close,
  };
}
