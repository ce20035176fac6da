/** Joins the whole bot except its server: the adapters, the use cases, the events route and the background work. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import type { Route } from '../http/server.ts';
import { createEventsInTurn } from '../in-turn.ts';
import { listSubBrands } from '../order-service/calls.ts';
import { type EventsDeps, eventsRoute } from '../order-service/events-route.ts';
import { createShown } from '../order-service/redact.ts';
import type { Log, RateLimiter, Wake } from '../outbox/ports.ts';
import { createRequests } from '../requests/index.ts';
import type { IncomingEvent } from '../requests/model/events.ts';
import { TIMINGS, type Timings } from '../requests/model/pending-effects.ts';
import { subjectOf } from '../requests/model/record.ts';
import type { Directory, RequestStore, Workspaces } from '../requests/ports/ports.ts';
import { owesOutcome } from '../requests/store/subjects.ts';
import type { ListenerDeps } from '../slack/features/listener.ts';
import type { SlackRoutes } from '../slack/routes.ts';
import type { LinkTimings } from '../slack/transport/socket-receiver.ts';
import { findByOpenEndpoint } from '../workspaces/connection/disconnect.ts';
import type { PauseTimes } from '../workspaces/connection/token-pauses.ts';
import { connectionState } from '../workspaces/connection/tokens.ts';
import { UNINSTALL_TIMINGS, type UninstallTimings } from '../workspaces/installation/uninstall-record.ts';
import { changePolicy, type PolicyChanged } from '../workspaces/settings.ts';
import type { Saved } from '../workspaces/settings-record.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import { createUnsignedEvents } from '../workspaces/unsigned-events.ts';
import { type Adapters, createAdapters, type Outside } from './adapters.ts';
import { type Background, type BackgroundOverrides, createBackground } from './background.ts';
import type { AppContext } from './context.ts';
import { createSlackAdapters } from './slack.ts';

/**
 * The name of the process (`replica`), and what only tests and the bench change: how long things take, how records are stored,
 * what answers Slack, and how fast limits are.
 */
export type Overrides = BackgroundOverrides & {
  timings?: Timings;
  requests?: (store: RequestStore) => RequestStore;
  routes?: (routes: SlackRoutes) => SlackRoutes;
  limiter?: (limiter: RateLimiter) => RateLimiter;
  serviceLimits?: Limits;
  /** The wait of calls after a 401. */
  tokenPause?: PauseTimes;
  /** The time-out of calls to Slack that no person waits for. */
  slackTimeoutMs?: number;
  socket?: LinkTimings;
  uninstallTimings?: UninstallTimings;
};

export type Bot = {
  context: AppContext;
  background: Background;
  useCases: ListenerDeps;
  events: Route;
};

/** @param stopping aborted at shutdown: no new effect begins */
export function createBot(
  config: Config,
  log: Log,
  stopping: AbortSignal,
  overrides: Overrides,
  outside: Outside,
): Bot {
  const adapters = createAdapters(config, outside, log, overrides);
  const { storage } = adapters;
  const limiter = overrides.limiter?.(storage.limiter) ?? storage.limiter;
  const countRefused = (reason: string) => outside.countRefused('slack', reason);
  const context: AppContext = {
    config,
    log,
    adapters,
    store: overrides.requests?.(storage.requests) ?? storage.requests,
    workspaces: workspacesOf(adapters),
    timings: overrides.timings ?? TIMINGS,
    limiter,
    uninstallTimings: overrides.uninstallTimings ?? UNINSTALL_TIMINGS,
    slack: createSlackAdapters({ config, adapters, limiter, log, countRefused }, overrides),
  };
  const background = createBackground(context, stopping, overrides);
  const inTurn = createEventsInTurn();
  const events = eventsRoute({
    endpoint: createFindEndpoint(context),
    recordArrival: (endpoint) => adapters.connectionHealth.record('event', endpoint),
    // The service never sends an event again that was answered, so by then the event must survive a failover.
    record: (incoming) =>
      storage.replicated(() => inTurn.run(orderOf(incoming), () => background.recordEvent(incoming))),
    recordUnsigned: createUnsignedEvents({
      records: storage.unsignedEvents,
      tell: background.tellAdmins.ofUnsigned,
      monotonic: adapters.outside.runtime.monotonic,
      log,
    }),
    signatureHeaders: config.eventsSignatureHeaders,
    countRefused: (reason) => outside.countRefused('order_service', reason),
    monotonic: adapters.outside.runtime.monotonic,
    log,
  });
  return { context, background, useCases: createUseCases(context, background), events };
}

const orderOf = ({ workspace, kind, event }: IncomingEvent) => ({
  workspace,
  subject: subjectOf(kind, event.target),
});

/** A key is made once for each secret: making it costs as much as a signature. */
const KEYS_REMEMBERED = 1_000;

/** Creates the function that finds the connection of an events URL, with the keys that its events may be signed with. */
function createFindEndpoint({ adapters: { connections }, store }: AppContext): EventsDeps['endpoint'] {
  const hasPending = (workspace: string) => owesOutcome(store, workspace);
  const keys = createCache<KeyObject>(KEYS_REMEMBERED);
  const keyOf = (secret: string) => {
    const key = keys.get(secret) ?? createSecretKey(secret, 'utf8');
    keys.set(secret, key);
    return key;
  };
  return async function find(address): ReturnType<EventsDeps['endpoint']> {
    const connection = await findByOpenEndpoint({ connections, hasPending }, address);
    if (!connection) return undefined;
    const { workspace, generation } = connection;
    const token = await connections.token(connection);
    // The token was replaced since the connection was read.
    if (connection.token && token === undefined) return find(address);
    const secrets = connections.secrets(connection).map(keyOf);
    return { workspace, generation, secrets, shown: createShown(token) };
  };
}

function workspacesOf(adapters: Adapters): Workspaces {
  return {
    connection: (workspace) => connectionState(adapters.connections, workspace),
    settings: adapters.settings.read,
    inForce: adapters.settings.inForce,
  };
}

/** Joins the use cases with their ports, for the listeners that call them. */

function createUseCases(
  { config, log, adapters, store, workspaces, timings, slack }: AppContext,
  { wake, recordUninstall, approversChanged, tokens, checkPaused, notifying, tellAdmins }: Background,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service, storage } = adapters;
  const { replicated } = storage;
  const { directory, links } = slack;
  const { monotonic, after } = adapters.outside.runtime;
  const requests = createRequests({
    store,
    replicated,
    directory,
    workspaces,
    wake,
    timings,
    renameInSettings: settings.renameChannel,
    approversChanged,
    retentionMs: config.retentionMs,
    auditEntries: storage.auditEntries,
    recentRequests: storage.recentRequests,
    tellOfLimit: tellAdmins.ofLimit,
    pauses: settings,
    notifying,
    log,
  });
  return {
    ...requests,
    ...settingsUseCases(adapters, { directory, log, wake: notifying.wake }),
    planConnect,
    connect,
    planDisconnect,
    disconnect,
    checkPaused,
    recordUninstall,
    approversChanged,
    subBrands: createSubBrands({
      tokens,
      list: (token) => listSubBrands(service, token, monotonic),
      monotonic,
    }),
    directory,
    installedIn: async (workspace) =>
      (await slack.installations.find(workspace)) && slack.clients.interactive(workspace),
    links,
    aboutWorkspace: slack.aboutWorkspace,
    limitPauses: storage.limiter.pauses,
    publishView: slack.publishView,
    monotonic,
    after,
    log,
  };
}

/**
 * Joins the use cases of the settings. Each change is logged, survives a failover once it is shown, and is told to the
 * notifications channel.
 */
function settingsUseCases(
  { settings, storage: { replicated } }: Adapters,
  { directory, log, wake }: { directory: Directory; log: Log; wake: Wake },
): Pick<ListenerDeps, 'changePolicy' | 'settings' | 'settingsInForce' | 'saveSettings'> {
  function logAndWake(
    { workspace, by: user }: { workspace: string; by: string },
    saved: Saved | PolicyChanged,
  ): void {
    if (saved.type !== 'saved') return;
    log.info({ workspace, user, changed: saved.changed }, 'settings changed');
    saved.notices.forEach(wake);
  }
  return {
    async changePolicy(whose, draft) {
      const changed = await replicated(() => changePolicy({ directory, settings }, whose, draft));
      logAndWake(whose, changed);
      return changed;
    },
    settings: settings.read,
    settingsInForce: settings.inForce,
    async saveSettings(workspace, given, shown, by) {
      const saved = await replicated(() => settings.save(workspace, given, shown, by));
      logAndWake({ workspace, by }, saved);
      return saved;
    },
  };
}
