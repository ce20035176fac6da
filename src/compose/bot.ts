/** Joins all of the bot but its server: what comes in by Slack and by events, and what is done in the background. */

import type { Config } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import { createMetrics } from '../metrics.ts';
import { createShown } from '../order-service/shown.ts';
import { type EventsDeps, eventsRoute } from '../order-service/webhook/route.ts';
import { TIMINGS, type Timings } from '../requests/model/pending-effects.ts';
import type { Log, RequestStore, Workspaces } from '../requests/ports/ports.ts';
import type { RateLimiter } from '../requests/ports/rate-limiter.ts';
import { owesOutcome } from '../requests/store/entry.ts';
import type { ListenerDeps } from '../slack/features/listener.ts';
import type { SlackRoutes } from '../slack/routes.ts';
import type { LinkTimings } from '../slack/transport/socket-link.ts';
import type { Connection } from '../workspaces/connection/connections.ts';
import { connectionState } from '../workspaces/connection/tokens.ts';
import { LEAVE_TIMINGS, type LeaveTimings } from '../workspaces/installation/uninstall.ts';
import { perObject } from '../workspaces/per-object.ts';
import type { Common } from './context.ts';
import type { Outside } from './outside.ts';
import { createParts, type Parts } from './parts.ts';
import { createSlackParts } from './slack.ts';
import { createUseCases } from './use-cases.ts';
import { createWork, type Work, type WorkOverrides } from './work.ts';

/**
 * The name of the process; and what only tests and the bench change: how long things take, how records are stored, what
 * answers Slack, and how fast limits are.
 */
export type Overrides = WorkOverrides & {
  timings?: Timings;
  requests?: (store: RequestStore) => RequestStore;
  routes?: (routes: SlackRoutes) => SlackRoutes;
  limiter?: (limiter: RateLimiter) => RateLimiter;
  serviceLimits?: Limits;
  /** How long a call to Slack may take that nobody waits for. */
  slackTimeoutMs?: number;
  socket?: LinkTimings;
  leaving?: LeaveTimings;
};

export type Bot = {
  common: Common;
  work: Work;
  useCases: ListenerDeps;
  /** Where the order service announces outcomes. */
  events: Route;
};

/** @param stopping aborted at shutdown: nothing new is begun */
export function createBot(
  config: Config,
  log: Log,
  stopping: AbortSignal,
  overrides: Overrides,
  outside: Outside,
): Bot {
  const parts = createParts(config, outside, overrides.serviceLimits);
  const { storage } = parts;
  const limiter = overrides.limiter?.(storage.limiter) ?? storage.limiter;
  const metrics = createMetrics();
  const countRefused = (reason: string) => metrics.countRefused('slack', reason);
  const common: Common = {
    config,
    log,
    metrics,
    parts,
    store: overrides.requests?.(storage.requests) ?? storage.requests,
    workspaces: workspacesOf(parts),
    timings: overrides.timings ?? TIMINGS,
    limiter,
    leaveTimings: overrides.leaving ?? LEAVE_TIMINGS,
    slack: createSlackParts({ config, parts, limiter, log, countRefused }, overrides),
  };
  const work = createWork(common, stopping, overrides);
  const events = eventsRoute({
    endpoint: createFindEndpoint(common),
    sighted: (endpoint) => parts.sightings.note('event', endpoint),
    record: work.hear,
    signatureHeaders: config.eventsSignatureHeaders,
    countRefused: (reason) => metrics.countRefused('order_service', reason),
    monotonic: parts.outside.runtime.monotonic,
    log,
  });
  return { common, work, useCases: createUseCases(common, work), events };
}

/**
 * The endpoint of a workspace that was disconnected lives until the service owes it nothing any more. Nothing is
 * deleted here: nobody has looked at the signature yet, and somebody may just be connecting the workspace again.
 */
function createFindEndpoint({ parts: { connections }, store }: Common): EventsDeps['endpoint'] {
  const shownOf = perObject((connection: Connection) => createShown(connections.token(connection)));
  return async (id) => {
    const connection = await connections.findByEndpoint(id);
    if (!connection) return undefined;
    const { workspace, generation, token } = connection;
    if (!token && !(await owesOutcome(store, workspace))) return undefined;
    return { workspace, generation, secrets: connections.secrets(connection), shown: shownOf(connection) };
  };
}

function workspacesOf(parts: Parts): Workspaces {
  return { connection: (workspace) => connectionState(parts, workspace), settings: parts.settings.read };
}
