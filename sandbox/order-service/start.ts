/** Starts a local order service. */
import { createFaults } from '../lib/faults/faults.ts';
import type { Journal } from '../lib/http/journal.ts';
import { startHttpServer } from '../lib/http/server.ts';
import { createDeliveries, createEventStream } from './events.ts';
import { type CallFilter, filterCalls, type ReceivedCall, serveOperation } from './serve-operation.ts';
import { createBackOffice } from './world/back-office.ts';
import { createOrganizations } from './world/organizations.ts';
import { seedOrganizations } from './world/seed.ts';

/** The settings of the service; every field has a default. */
export type OrderServiceOptions = {
  journal: Journal;
  port?: number;
  /** The delays before the five retries of an event. */
  eventRetryDelaysMs?: readonly number[];
  eventTimeoutMs?: number;
};

const EVENT_RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const EVENT_TIMEOUT_MS = 10_000;

/** A running order service, with its back office, its faults, and the calls that it received. */
export type OrderService = Awaited<ReturnType<typeof startOrderService>>;

/** Starts an order service with two seeded organizations on a free port of loopback. */
export async function startOrderService(options: OrderServiceOptions) {
  const { journal } = options;
  const faults = createFaults();
  const organizations = new Map(seedOrganizations().map((each) => [each.id, each]));
  const tokens = [...organizations.values()].flatMap((each) => each.tokens);
  for (const { token } of tokens) journal.addSecret(token);
  const deliveries = createDeliveries(journal, {
    retryDelaysMs: options.eventRetryDelaysMs ?? EVENT_RETRY_DELAYS_MS,
    timeoutMs: options.eventTimeoutMs ?? EVENT_TIMEOUT_MS,
  });
  const world = createOrganizations(journal, organizations);
  const events = createEventStream(deliveries, world.organization);
  const calls: ReceivedCall[] = [];
  const context = { journal, faults, organizations, events, calls };
  const server = await startHttpServer({
    port: options.port,
    handle: (request) => serveOperation(request, context),
  });
  const close = async () => {
    faults.clear();
    deliveries.close();
    await server.close();
  };
  return {
    ...world,
    ...createBackOffice({ journal, world, deliveries, events }),
    /** The bot's ORDER_SERVICE_URL. */
    url: server.origin,
    faults,
    /** Returns every request that reached the service, recorded on receipt. */
    calls: (filter: CallFilter = {}) => filterCalls(calls, filter),
    /** Stops listening at the address (false), or listens again (true). */
    setReachable: (isReachable: boolean) => (isReachable ? server.reopen() : server.close()),
    close,
  };
}
