/** Creates the whole bot except its server: the adapters, the use cases, the events route and the background work. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { createCache } from '../cache.ts';
import type { Config } from '../config.ts';
import type { Route } from '../http/server.ts';
import { createEventsInTurn } from '../in-turn.ts';
import { listSubBrands } from '../order-service/calls.ts';
import { type EventsDeps, eventsRoute } from '../order-service/events-route.ts';
import { createSanitizer } from '../order-service/redact.ts';
import type { Log, Wake } from '../outbox/ports.ts';
import { createRequests } from '../requests/index.ts';
import type { IncomingEvent } from '../requests/model/events-and-calls.ts';
import { subjectOf } from '../requests/model/record.ts';
import type { Directory } from '../requests/ports/ports.ts';
import type { ListenerDeps } from '../slack/listeners/listener.ts';
import { createRedraw } from '../slack/listeners/redraw.ts';
import { isFinished } from '../workspaces/connection/connection.ts';
import { changePolicy, type PolicyChanged } from '../workspaces/settings.ts';
import type { Saved } from '../workspaces/settings-record.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import { createUnsignedEvents, UNSIGNED_TOLD } from '../workspaces/unsigned-events.ts';
import type { Adapters, Outside } from './adapters.ts';
import { type Background, createBackground } from './background.ts';
import { type AppContext, createContext, type Overrides } from './context.ts';

export type Bot = ReturnType<typeof createBot>;

/** @param stopping aborted at shutdown: no new effect begins */
export function createBot(
  config: Config,
  log: Log,
  stopping: AbortSignal,
  overrides: Overrides,
  outside: Outside,
) {
  const context = createContext({ config, log, stopping, overrides, outside });
  const background = createBackground(context);
  return {
    context,
    background,
    useCases: createUseCases(context, background),
    events: createEventsRoute(context, background),
  };
}

function createEventsRoute(context: AppContext, { recordEvent, tellAdmins }: Background): Route {
  const { config, log, adapters } = context;
  const { storage } = adapters;
  const { monotonic } = adapters.outside.runtime;
  const inTurn = createEventsInTurn();
  return eventsRoute({
    endpoint: createFindEndpoint(context),
    recordArrival: (endpoint) => adapters.connectionHealth.record('event', endpoint),
    // The service does not repeat an event that was answered, so by then the event must survive a failover.
    record: (incoming) =>
      storage.replicated(() => inTurn.run(orderOf(incoming), () => recordEvent(incoming))),
    recordUnsigned: createUnsignedEvents({
      records: storage.unsignedEvents,
      tell: tellAdmins.ofUnsigned,
      monotonic,
      log,
    }),
    unsignedTold: UNSIGNED_TOLD,
    signatureHeaders: config.eventsSignatureHeaders,
    monotonic,
    log,
  });
}

const orderOf = ({ workspace, kind, event }: IncomingEvent) => ({
  workspace,
  subject: subjectOf(kind, event.target),
});

/** The most keys of events secrets that are cached: creating a key costs as much as checking a signature. */
const KEYS_REMEMBERED = 1_000;

/** Creates the function that finds the connection of an events URL, with the keys that its events may be signed with. */
function createFindEndpoint({ adapters }: AppContext): EventsDeps['endpoint'] {
  const { connections } = adapters;
  const keys = createCache<KeyObject>(KEYS_REMEMBERED);
  const keyOf = (secret: string) => {
    const key = keys.get(secret) ?? createSecretKey(secret, 'utf8');
    keys.set(secret, key);
    return key;
  };
  return async function find(address): ReturnType<EventsDeps['endpoint']> {
    const connection = await connections.findByEndpoint(address);
    // Not removed here: the signature is not verified yet, and somebody may be connecting the workspace again right now.
    if (!connection || (await isFinished(adapters, connection))) return undefined;
    const { workspace, generation } = connection;
    const token = await connections.token(connection);
    // The token was replaced since the connection was read.
    if (connection.token && token === undefined) return find(address);
    const secrets = connections.secrets(connection).map(keyOf);
    return { workspace, generation, secrets, sanitize: createSanitizer(token) };
  };
}

/** Creates the use cases with their ports, for the listeners that call them. */
function createUseCases(
  { log, adapters, workspaces, timings, slack }: AppContext,
  { wake, recordUninstall, tokens, checkPaused, notifying, tellAdmins }: Background,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service, storage } = adapters;
  const { replicated } = storage;
  const { directory, links } = slack;
  const { monotonic, after } = adapters.outside.runtime;
  const requests = createRequests({
    store: storage.requests,
    replicated,
    directory,
    workspaces,
    wake,
    timings,
    renameInSettings: settings.renameChannel,
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
    subBrands: createSubBrands({
      tokens,
      list: (token) => listSubBrands(service, token, monotonic),
      monotonic,
    }),
    directory,
    installations: slack.installations,
    async installedIn(workspace) {
      const found = await slack.installations.find(workspace);
      return (
        found && { client: slack.clients.withToken(workspace, found.botToken), botUserId: found.botUserId }
      );
    },
    links,
    limitPauses: storage.limiter.pauses,
    redraw: createRedraw(),
    publishView: slack.publishView,
    monotonic,
    after,
    log,
  };
}

/**
 * Creates the use cases of the settings. Each change survives a failover before anybody reads that it is saved; it is logged, and
 * told to the notifications channel.
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
