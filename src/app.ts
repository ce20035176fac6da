/** The composition root: the only place where adapters are built and joined. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Common } from './compose/context.ts';
import { createParts, type Parts } from './compose/parts.ts';
import { createSlackParts } from './compose/slack.ts';
import { createUseCases } from './compose/use-cases.ts';
import { createWork, type Work, type WorkOverrides } from './compose/work.ts';
import type { Config } from './config.ts';
import { type Endpoint, eventsRoute } from './events/route.ts';
import type { Limits } from './http/exchange.ts';
import { healthRoutes } from './http/health.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createShown } from './order-service/shown.ts';
import { TIMINGS, type Timings } from './requests/agenda.ts';
import { owesOutcome } from './requests/pending.ts';
import type { Log, RequestStore, Workspaces } from './requests/ports.ts';
import type { RateLimiter } from './requests/rate-limiter.ts';
import { createBoltApp } from './slack/bolt.ts';
import { slackRoutes } from './slack/routes.ts';
import type { LinkTimings } from './slack/socket-link.ts';
import { LEAVE_TIMINGS, type LeaveTimings } from './workspaces/leave.ts';
import { connectionState } from './workspaces/tokens.ts';

/** What only tests change: how long things take, how records are stored, and how fast limits are. */
export type Overrides = WorkOverrides & {
  timings?: Timings;
  requests?: (store: RequestStore) => RequestStore;
  limiter?: (limiter: RateLimiter) => RateLimiter;
  serviceLimits?: Limits;
  /** How long a call to Slack may take that nobody waits for. */
  slackTimeoutMs?: number;
  socket?: LinkTimings;
  leaving?: LeaveTimings;
};

export type CountermandApp = Pick<HttpServer, 'routes'> & {
  /** @returns the port it listens on */
  start(): Promise<number>;
  /** Begins nothing new, and lets what is under way finish, within bounds. The rest is done after the next start. */
  stop(): Promise<void>;
};

/**
 * Longer than listeners work after their answer: a token that is being checked (20 s), and a modal that is changed. Only
 * where a former token is revoked as well, and the service is slow at both, it is not enough.
 */
const LISTENERS_MS = 25_000;

export function createApp(config: Config, log: Log, overrides: Overrides = {}): CountermandApp {
  const parts = createParts(config, overrides.serviceLimits);
  const { storage } = parts;
  const store = overrides.requests?.(storage.requests) ?? storage.requests;
  const limiter = overrides.limiter?.(storage.limiter) ?? storage.limiter;
  const { timings = TIMINGS, leaving: leaveTimings = LEAVE_TIMINGS } = overrides;
  const common = {
    config,
    log,
    parts,
    store,
    workspaces: workspacesOf(parts),
    timings,
    limiter,
    leaveTimings,
    slack: createSlackParts({ config, parts, limiter, log }, overrides),
  };
  const stopping = new AbortController();
  /** Aborted first: who asks whether it is ready reads that it is not, while everything else goes on. */
  const leaving = new AbortController();
  const work = createWork(common, stopping.signal, overrides);
  const server = createAppServer(common, work, leaving.signal);
  const { installations, receiver } = common.slack;

  return {
    routes: server.routes,
    async start() {
      await storage.open(log);
      const installed = await installations.prepare();
      const port = await server.start();
      await receiver.start().catch(async (refused) => {
        await server.stop();
        throw refused;
      });
      for (const each of work.running) each.start();
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      leaving.abort();
      await sleep(config.drainMs);
      stopping.abort();
      const patience = sleep(LISTENERS_MS, undefined, { ref: false });
      const working = work.running.map((each) => each.stop());
      await Promise.all([server.stop(), receiver.stop(), ...working]);
      await Promise.race([receiver.idle(), patience]);
      await common.slack.stop(patience);
      await parts.close();
      log.info({}, 'Countermand has stopped');
    },
  };
}

function createAppServer(common: Common, work: Work, leaving: AbortSignal): HttpServer {
  const { config, log, parts, slack } = common;
  createBoltApp({ ...slack, routes: slackRoutes(createUseCases(common, work)), log });
  const events = eventsRoute({
    endpoint: (id) => findEndpoint(common, id),
    sighted: (endpoint) => parts.sightings.note('event', endpoint),
    record: work.hear,
    signatureHeaders: config.eventsSignatureHeaders,
    log,
  });
  const ready = async () => {
    leaving.throwIfAborted();
    slack.receiver.mustBeReachable();
    await parts.storage.ping();
  };
  const routes = [...slack.routes, events, ...healthRoutes(ready)];
  return createHttpServer(routes, { port: config.port, host: config.host, log });
}

/**
 * The endpoint of a workspace that was disconnected lives until the service owes it nothing any more. Nothing is
 * deleted here: nobody has looked at the signature yet, and somebody may just be connecting the workspace again.
 */
async function findEndpoint(
  { parts: { connections }, store }: Common,
  id: string,
): Promise<Endpoint | undefined> {
  const connection = await connections.findByEndpoint(id);
  if (!connection) return undefined;
  if (!connection.token && !(await owesOutcome(store, connection.workspace))) return undefined;
  const { workspace, generation } = connection;
  const shown = createShown(connections.token(connection));
  return { workspace, generation, secrets: connections.secrets(connection), shown };
}

function workspacesOf(parts: Parts): Workspaces {
  return { connection: (workspace) => connectionState(parts, workspace), settings: parts.settings.read };
}
