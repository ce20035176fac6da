/** Joins the adapters that the bot and the terminal commands share: storage, the order service, connections. */

import type { Config } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import type { Queues } from '../jobs/queue.ts';
import { checkToken, revoke } from '../order-service/check-token.ts';
import { createOrderService, type OrderService } from '../order-service/client.ts';
import type { Log } from '../outbox/ports.ts';
import type { Revoke, Runtime, TokenCheck } from '../requests/ports/ports.ts';
import { createRecordAct, type RecordAct } from '../requests/store/audit-trail.ts';
import { owesOutcome } from '../requests/store/entry.ts';
import type { Storage } from '../storage/storage.ts';
import { createCipher } from '../workspaces/cipher.ts';
import {
  type Connected,
  type Connecting,
  type ConnectPlan,
  connect,
  planConnect,
} from '../workspaces/connection/connect.ts';
import { type ConnectionHealth, createConnectionHealth } from '../workspaces/connection/connection.ts';
import { type Connections, createConnections } from '../workspaces/connection/connections.ts';
import {
  type Disconnected,
  type DisconnectPlan,
  disconnect,
  planDisconnect,
  revokeOwn,
} from '../workspaces/connection/disconnect.ts';
import { removeFinished } from '../workspaces/connection/finished-connections.ts';
import type { PauseTimes } from '../workspaces/connection/token/pause.ts';
import { createTokenPauses, type TokenPauses } from '../workspaces/connection/token-pauses.ts';
import { type Forget, forgetRecords, forgetStreamed } from '../workspaces/installation/forget.ts';
import { createInstallationStore, type InstallationStore } from '../workspaces/installation/installations.ts';
import { createOrganizations, type Organizations } from '../workspaces/installation/organizations.ts';
import type { Sealed } from '../workspaces/rotate-keys.ts';
import { createSettingsStore, type SettingsStore } from '../workspaces/settings.ts';
import { createSingleUse, type SingleUse } from '../workspaces/single-use.ts';
import { type Keys, loadOutside, type Outside } from './outside.ts';

export type Adapters = Stores & {
  outside: Outside;
  storage: Storage;
  /** The queues between several replicas, if the storage allows several. */
  queues: Queues | undefined;
  service: OrderService;
  checkToken: (token: string) => Promise<TokenCheck>;
  revokeOwn: (workspace: string) => Promise<'done' | 'later'>;
  planConnect: (workspace: string) => Promise<ConnectPlan>;
  /** Ends once all replicas of the storage have the connection; so does `disconnect`. */
  connect: (connecting: Connecting) => Promise<Connected>;
  planDisconnect: (workspace: string) => Promise<DisconnectPlan>;
  disconnect: (workspace: string, by: string, shown?: string) => Promise<Disconnected>;
  /** Removes disconnected connections that await no outcome any more. */
  removeFinished: (stopping: AbortSignal) => Promise<void>;
  /** Removes each kind of a workspace's data, in this order. */
  forgets: readonly Forget[];
  /** The stores of sealed secrets. */
  sealed: readonly Sealed[];
  /** The names of the keys: the first seals, all of them open. */
  keyNames: readonly string[];
  close(): Promise<void>;
};

/** A log that drops everything. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The same with the real storage and network. @throws if the storage can't be opened, or its keys are missing */
export async function openAdapters(config: Config, log = SILENT): Promise<Adapters> {
  return createAdapters(config, await loadOutside(config), log);
}

/** @throws if the storage can't be opened, or its keys are missing */
export function createAdapters(
  config: Config,
  outside: Outside,
  log: Log,
  { serviceLimits, tokenPause }: { serviceLimits?: Limits; tokenPause?: PauseTimes } = {},
): Adapters {
  const { runtime } = outside;
  const { storage, queues, keys } = outside.openStorage(config);
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
    queues,
    service,
    checkToken: check,
    ...stores,
    revokeOwn: (workspace) => revokeOwn(disconnectDeps, workspace),
    planConnect: (workspace) => planConnect(connectDeps, workspace),
    connect: (connecting) => storage.replicated(() => connect(connectDeps, connecting)),
    planDisconnect: (workspace) => planDisconnect(disconnectDeps, workspace),
    disconnect: (workspace, by, shown) =>
      storage.replicated(() => disconnect(disconnectDeps, workspace, by, shown)),
    removeFinished: (stopping) => removeFinished(finishedDeps, log, stopping),
    forgets: forgetsOf(config, { storage, queues, runtime, ...stores }),
    sealed: [connections, stores.installations],
    keyNames: keys.map(({ id }) => id),
    async close() {
      await service.close();
      await storage.close();
    },
  };
}

/** Lists what removes each kind of a workspace's data, in the order of `Adapters.forgets`. */
function forgetsOf(
  { auditFile }: Config,
  given: Pick<Adapters, 'storage' | 'queues' | 'connections' | 'connectionHealth' | 'settings'> & {
    runtime: Runtime;
  },
): readonly Forget[] {
  const { storage, queues, connections, connectionHealth, settings } = given;
  const { pause } = given.runtime;
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

/** The stores with one value for each key. */
type Stores = {
  connections: Connections;
  settings: SettingsStore;
  connectionHealth: ConnectionHealth;
  tokenPauses: TokenPauses;
  installations: InstallationStore;
  organizations: Organizations;
  /** The OAuth states that were used. */
  usedStates: SingleUse;
  recordAct: RecordAct;
};

function createStores(
  { keyv, ...records }: Storage,
  keys: Keys,
  { runtime, pauseTimes, log }: { runtime: Runtime; pauseTimes: PauseTimes | undefined; log: Log },
): Stores {
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
    usedStates: createSingleUse(records.usedStates),
    recordAct,
  };
}
