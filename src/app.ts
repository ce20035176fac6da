/** The composition root: the only place where adapters are built and joined. */
import type { Common } from './compose/context.ts';
import { createParts, type Parts } from './compose/parts.ts';
import { createReadiness } from './compose/readiness.ts';
import { createSlackParts } from './compose/slack.ts';
import { createUseCases } from './compose/use-cases.ts';
import { createWork, type Work, type WorkOverrides } from './compose/work.ts';
import type { Config } from './config.ts';
import { type Endpoint, eventsRoute } from './events/route.ts';
import type { Limits } from './http/exchange.ts';
import { healthRoutes } from './http/health.ts';
import { metricsRoute } from './http/metrics.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createMetrics } from './metrics.ts';
import { createShown } from './order-service/shown.ts';
import { TIMINGS, type Timings } from './requests/agenda.ts';
import { owesOutcome } from './requests/pending.ts';
import type { Log, RequestStore, Workspaces } from './requests/ports.ts';
import type { RateLimiter } from './requests/rate-limiter.ts';
import { createBoltApp } from './slack/bolt.ts';
import { untilReached } from './slack/reach.ts';
import { slackRoutes } from './slack/routes.ts';
import type { LinkTimings } from './slack/socket-link.ts';
import { LEAVE_TIMINGS, type LeaveTimings } from './workspaces/leave.ts';
import { connectionState } from './workspaces/tokens.ts';

/** The name of the process; and what only tests change: how long things take, how records are stored, and how fast limits are. */
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
  /**
   * Serves, and waits for Slack where that is away.
   *
   * @returns the port it listens on, once it can do its work or was told to stop
   * @throws where it never will: the storage can't be opened, the port is taken, Slack does not accept a token
   */
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
  const common = createCommon(config, log, overrides);
  const { parts } = common;
  const { sleep, random } = parts.outside.runtime;
  const stopping = new AbortController();
  /** `leaving` is set first: who asks whether it is ready reads that it is not, while everything else goes on. */
  const state = { reached: false, leaving: false };
  const work = createWork(common, stopping.signal, overrides);
  const server = createAppServer(common, work, state);
  const { installations, receiver } = common.slack;

  return {
    routes: server.routes,
    async start() {
      await parts.storage.open(log);
      parts.storage.claim();
      const port = await server.start();
      const reaching = { log, signal: stopping.signal, random, sleep };
      const installed = await untilReached(async () => {
        const found = await installations.prepare();
        await receiver.start();
        return found;
      }, reaching).catch(async (refused) => {
        await server.stop();
        throw refused;
      });
      if (!installed || stopping.signal.aborted) return port;
      state.reached = true;
      for (const each of work.running) each.start();
      log.info({ port, ...installed, storage: config.storage.type }, 'Countermand is ready');
      return port;
    },
    async stop() {
      state.leaving = true;
      await sleep(config.drainMs);
      stopping.abort();
      const patience = sleep(LISTENERS_MS, new AbortController().signal);
      const working = work.running.map((each) => each.stop());
      await Promise.all([server.stop(), receiver.stop(), ...working]);
      await Promise.race([receiver.idle(), patience]);
      await common.slack.stop(patience);
      await parts.close();
      log.info({}, 'Countermand has stopped');
    },
  };
}

function createCommon(config: Config, log: Log, overrides: Overrides): Common {
  const parts = createParts(config, overrides.serviceLimits);
  const { storage } = parts;
  const store = overrides.requests?.(storage.requests) ?? storage.requests;
  const limiter = overrides.limiter?.(storage.limiter) ?? storage.limiter;
  const { timings = TIMINGS, leaving: leaveTimings = LEAVE_TIMINGS } = overrides;
  const metrics = createMetrics();
  const countRefused = (reason: string) => metrics.countRefused('slack', reason);
  return {
    config,
    log,
    metrics,
    parts,
    store,
    workspaces: workspacesOf(parts),
    timings,
    limiter,
    leaveTimings,
    slack: createSlackParts({ config, parts, limiter, log, countRefused }, overrides),
  };
}

/** @param state changes as the bot starts and stops */
function createAppServer(
  common: Common,
  work: Work,
  state: { reached: boolean; leaving: boolean },
): HttpServer {
  const { config, log, metrics, parts, slack } = common;
  createBoltApp({ ...slack, routes: slackRoutes(createUseCases(common, work)), log });
  const events = eventsRoute({
    endpoint: (id) => findEndpoint(common, id),
    sighted: (endpoint) => parts.sightings.note('event', endpoint),
    record: work.hear,
    signatureHeaders: config.eventsSignatureHeaders,
    countRefused: (reason) => metrics.countRefused('order_service', reason),
    monotonic: parts.outside.runtime.monotonic,
    log,
  });
  const problems = createReadiness({
    isStopping: () => state.leaving,
    isSlackReached: () => state.reached && slack.receiver.isReachable(),
    ping: parts.storage.ping,
    monotonic: parts.outside.runtime.monotonic,
    log,
  });
  const routes = [...slack.routes, events, ...healthRoutes(problems), metricsRoute(metrics)];
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
