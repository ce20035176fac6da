/** Joins the adapters that the bot and the terminal commands share: storage, the order service, connections. */
import type { Config } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import { createOrderService } from '../order-service/client.ts';
import { checkToken, revoke } from '../order-service/token-calls.ts';
import type { Log } from '../outbox/ports.ts';
import type { Revoke, Runtime } from '../requests/ports/ports.ts';
import { createRecordAct } from '../requests/store/audit-trail.ts';
import { owesOutcome } from '../requests/store/subjects.ts';
import type { Storage } from '../storage/storage.ts';
import { createCipher } from '../workspaces/cipher.ts';
import { type Connecting, connect, planConnect } from '../workspaces/connection/connect.ts';
import { createConnectionHealth } from '../workspaces/connection/connection.ts';
import { createConnections } from '../workspaces/connection/connections.ts';
import { disconnect, planDisconnect, revokeOwn } from '../workspaces/connection/disconnect.ts';
import { removeFinished } from '../workspaces/connection/finished-connections.ts';
import type { PauseTimes } from '../workspaces/connection/token/pause.ts';
import { createTokenPauses } from '../workspaces/connection/token-pauses.ts';
import { type Forget, forgetRecords, forgetStreamed } from '../workspaces/installation/forget.ts';
import { createInstallationStore } from '../workspaces/installation/installations.ts';
import { createOrganizations } from '../workspaces/installation/organizations.ts';
import { createSettingsStore } from '../workspaces/settings.ts';
import { createSingleUse } from '../workspaces/single-use.ts';
import { type Keys, loadOutside, type Outside } from './outside.ts';

export type Adapters = ReturnType<typeof createAdapters>;

/** A log that drops everything. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates the adapters with the real storage and network. @throws if the storage can't be opened, or its keys are missing */
export async function openAdapters(config: Config, log = SILENT): Promise<Adapters> {
  return createAdapters(config, await loadOutside(config), log);
}

/** @throws if the storage can't be opened, or its keys are missing */
export function createAdapters(
  config: Config,
  outside: Outside,
  log: Log,
  { serviceLimits, tokenPause }: { serviceLimits?: Limits; tokenPause?: PauseTimes } = {},
) {
  const { runtime } = outside;
  const opened = outside.openStorage(config);
  const { storage, queues, keys } = opened;
  const { url, cancelRoute } = config.orderService;
  const service = createOrderService(url, {
    cancelRoute,
    limits: serviceLimits,
    transport: outside.connectOrderService(url.origin),
    now: runtime.now,
  });
  const stores = createStores(storage, keys, { runtime, log, pauseTimes: tokenPause });
  const { connections, connectionHealth, recordAct } = stores;
  const hasPending = (workspace: string) => owesOutcome(storage.requests, workspace);
  const finishedDeps = { connections, connectionHealth, hasPending };
  const check = (token: string) => checkToken(service, token);
  const disconnectDeps = {
    ...finishedDeps,
    ...runtime,
    recordAct,
    log,
    revoke: ((...given) => revoke(service, ...given)) satisfies Revoke,
  };
  const connectDeps = { ...disconnectDeps, publicUrl: config.publicUrl, checkToken: check };
  return {
    outside,
    storage,
    /** The queues between several replicas, if the storage allows several. */
    queues,
    service,
    checkToken: check,
    ...stores,
    revokeOwn: (workspace: string, leaving: readonly string[]) =>
      revokeOwn(disconnectDeps, workspace, leaving),
    planConnect: (workspace: string) => planConnect(connectDeps, workspace),
    /** Ends once all replicas of the storage have the connection; so does `disconnect`. */
    connect: (connecting: Connecting) => storage.replicated(() => connect(connectDeps, connecting)),
    planDisconnect: (workspace: string) => planDisconnect(disconnectDeps, workspace),
    disconnect: (workspace: string, by: string, shown?: string) =>
      storage.replicated(() => disconnect(disconnectDeps, workspace, by, shown)),
    /** Removes disconnected connections that await no outcome any more. */
    removeFinished: (stopping: AbortSignal) => removeFinished(finishedDeps, log, stopping),
    /** The functions that remove each kind of a workspace's data, in their order. */
    forgets: forgetsOf(config, opened, stores, runtime),
    /** The stores of sealed secrets. */
    sealed: [connections, stores.installations],
    /** The names of the keys: the first seals, all of them open. */
    keyNames: keys.map(({ id }) => id),
    async close(): Promise<void> {
      await service.close();
      await storage.close();
    },
  };
}

/** Lists the functions that remove each kind of a workspace's data: see `forgetWorkspace` for the order. */
function forgetsOf(
  { auditFile }: Config,
  { storage, queues }: ReturnType<Outside['openStorage']>,
  { connections, connectionHealth, settings }: ReturnType<typeof createStores>,
  { pause }: Runtime,
): readonly Forget[] {
  const forgetAll = (store: Parameters<typeof forgetRecords>[0]) => forgetRecords(store, pause);
  return [
    connections.forget,
    ...[storage.requests, storage.notices, storage.recentRequests].map(forgetAll),
    ...(queues ? [queues.forget] : []),
    storage.limiter.forget,
    connectionHealth.forget,
    settings.forget,
    forgetAll(storage.unsignedEvents),
    auditFile === undefined ? forgetAll(storage.auditEntries) : forgetStreamed(storage.auditEntries, pause),
    () => storage.scrub(),
  ];
}

function createStores(
  { keyv, ...records }: Storage,
  keys: Keys,
  { runtime, pauseTimes, log }: { runtime: Runtime; pauseTimes: PauseTimes | undefined; log: Log },
) {
  const { now, uuid } = runtime;
  const cipher = createCipher(keys);
  const recordAct = createRecordAct({ auditEntries: records.auditEntries, uuid, log });
  const connections = createConnections({
    cipher,
    now,
    uuid,
    records: records.connections,
    holders: records.tokens,
    tokens: keyv('tokens'),
  });
  return {
    connections,
    settings: createSettingsStore(records.settings),
    connectionHealth: createConnectionHealth({ call: keyv('last_calls'), event: keyv('last_events') }, now),
    tokenPauses: createTokenPauses(connections, pauseTimes),
    installations: createInstallationStore({ ...runtime, cipher, records: records.installations }),
    organizations: createOrganizations(records.organizations),
    /** The OAuth states that were used. */
    usedStates: createSingleUse(records.usedStates),
    recordAct,
  };
}
