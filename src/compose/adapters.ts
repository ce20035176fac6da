/**
 * Creates the adapters that the bot and the terminal commands share, for storage, the order service and connections, over the
 * outside world: time, the storage engine and networks.
 */
import { type Config, parseKeyFile } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import type { Queues } from '../jobs/queue.ts';
import { checkToken, revoke } from '../order-service/calls.ts';
import { createOrderService } from '../order-service/client.ts';
import { createTransport, type Transport } from '../order-service/transport.ts';
import { type Log, SILENT } from '../outbox/ports.ts';
import type { AuditStream, Revoke, Runtime } from '../requests/ports/ports.ts';
import { createRecordAct } from '../requests/store/audit-trail.ts';
import { owesOutcome } from '../requests/store/subjects.ts';
import { RUNTIME } from '../runtime.ts';
import type { SlackNetwork } from '../slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../slack/client/slack-fetch.ts';
import { createAuditStream } from '../storage/audit-stream.ts';
import type { Storage } from '../storage/storage.ts';
import type { RedisAddress } from '../storage/storage-address.ts';
import { createCipher } from '../workspaces/cipher.ts';
import { type Connecting, connect, planConnect } from '../workspaces/connection/connect.ts';
import { createConnectionHealth, createConnections } from '../workspaces/connection/connections.ts';
import {
  disconnect,
  planDisconnect,
  removeFinished,
  revokeOwn,
} from '../workspaces/connection/disconnect.ts';
import { createTokenPauses, type PauseTimes } from '../workspaces/connection/token-pauses.ts';
import { type Forget, forgetRecords, forgetStreamed } from '../workspaces/installation/forget.ts';
import { createInstallationStore } from '../workspaces/installation/installations.ts';
import { createOrganizations } from '../workspaces/installation/organizations.ts';
import { createTokenWorkspaces } from '../workspaces/installation/token-workspace.ts';
import { createSettingsStore } from '../workspaces/settings.ts';
import { createSingleUse } from '../workspaces/single-use.ts';

export type Adapters = ReturnType<typeof createAdapters>;

/** Creates the adapters with the real storage and network. @throws if the storage can't be opened, or its keys are missing */
export async function openAdapters(config: Config, log = SILENT): Promise<Adapters> {
  return createAdapters(config, await loadOutside(config), log);
}

/** Set by tests and the bench alone. `tokenPause`: the pauses of a workspace's calls after a 401. */
export type AdapterOverrides = {
  serviceLimits?: Limits;
  tokenPause?: PauseTimes;
  storage?: (storage: Storage) => Storage;
};

/** Creates the adapters over an outside world. @throws if the storage can't be opened, or its keys are missing */
export function createAdapters(
  config: Config,
  outside: Outside,
  log: Log,
  { serviceLimits, tokenPause, storage: wrapped = (storage) => storage }: AdapterOverrides = {},
) {
  const { runtime } = outside;
  const { queues, keys, ...opened } = outside.openStorage(config);
  const storage = wrapped(opened.storage);
  const { url, cancelRoute } = config.orderService;
  const service = createOrderService(url, {
    cancelRoute,
    limits: serviceLimits,
    transport: outside.connectOrderService(url.origin),
    now: runtime.now,
    pause: runtime.pause,
  });
  const stores = createStores(storage, keys, { runtime, log, pauseTimes: tokenPause });
  const { connections, connectionHealth, recordAct } = stores;
  const finishedDeps = {
    connections,
    connectionHealth,
    owesOutcome: (workspace: string) => owesOutcome(storage.requests, workspace),
    replicated: storage.replicated,
  };
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
    owesOutcome: finishedDeps.owesOutcome,
    revokeOwn: (workspace: string, leaving: readonly string[], mayGoOn: () => Promise<boolean>) =>
      revokeOwn(disconnectDeps, workspace, leaving, mayGoOn),
    planConnect: (workspace: string) => planConnect(connectDeps, workspace),
    connect: (connecting: Connecting) => connect(connectDeps, connecting),
    planDisconnect: (workspace: string) => planDisconnect(disconnectDeps, workspace),
    disconnect: (workspace: string, by: string, shown?: string) =>
      disconnect(disconnectDeps, workspace, by, shown),
    /** Removes disconnected connections that await no outcome any more. */
    removeFinished: (stopping: AbortSignal) => removeFinished(finishedDeps, log, stopping),
    /** Whether the bot has an audit stream. */
    isStreaming: config.auditFile !== undefined,
    /** The functions that remove the data of a workspace, in their order. The storage is to be scrubbed after them. */
    forgets: forgetsOf(config, { storage, queues }, stores, runtime),
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

/** Returns the functions that remove the data of a workspace, in the order that `forgetWorkspace` explains. */
function forgetsOf(
  { auditFile }: Config,
  { storage, queues }: Pick<OpenedStorage, 'storage' | 'queues'>,
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
    replicated: records.replicated,
  });
  return {
    connections,
    settings: createSettingsStore(records.settings),
    connectionHealth: createConnectionHealth(
      { call: keyv('last_calls'), event: keyv('last_events') },
      runtime,
    ),
    tokenPauses: createTokenPauses(connections, pauseTimes),
    installations: createInstallationStore({ ...runtime, cipher, records: records.installations }),
    organizations: createOrganizations(records.organizations),
    tokenWorkspaces: createTokenWorkspaces(keyv('token_workspaces')),
    /** The OAuth states that were used. */
    usedStates: createSingleUse(records.usedStates),
    recordAct,
  };
}

type Keys = NonNullable<Config['secretKeys']>;

type OpenedStorage = {
  storage: Storage;
  /** The queues between several replicas, if the storage allows several. */
  queues: Queues | undefined;
  keys: Keys;
};

/** The outside world of the bot. The simulation (test/simulate) provides another one. */
export type Outside = {
  runtime: Runtime;
  /** @throws if the storage can't be opened, or its keys are missing */
  openStorage(config: Config): OpenedStorage;
  connectSlack(): SlackNetwork & { close(): Promise<void> };
  connectOrderService(origin: string): Transport;
  /** @param target AUDIT_FILE */
  openAuditStream(target: string): AuditStream;
};

/** Provides the outside world of this machine. Of the two storages, it loads only the one that is used. */
export async function loadOutside({ storage }: Pick<Config, 'storage'>): Promise<Outside> {
  return {
    runtime: RUNTIME,
    openStorage: storage.type === 'redis' ? await loadRedis(storage) : await loadSqlite(storage.path),
    connectSlack() {
      const agent = createSlackAgent();
      return { send: sendOver(agent), close: () => agent.destroy() };
    },
    connectOrderService: createTransport,
    openAuditStream: createAuditStream,
  };
}

async function loadRedis(address: RedisAddress): Promise<Outside['openStorage']> {
  const { openRedisStorage } = await import('../storage/redis/open.ts');
  const { openQueues } = await import('../jobs/queue.ts');
  return ({ secretKeys }) => {
    if (!secretKeys) throw new Error('SECRET_KEYS is missing. Redis needs it.');
    const storage = openRedisStorage(address);
    const { client, prefix } = storage.queue;
    return { storage, queues: openQueues(client, prefix), keys: secretKeys };
  };
}

/** Loads SQLite. Without SECRET_KEYS, a file beside the database has the key; a database with secrets never gets a new one. */
async function loadSqlite(path: string): Promise<Outside['openStorage']> {
  const { openSqliteStorage } = await import('../storage/sqlite/open.ts');
  return ({ secretKeys }) => {
    const storage = openSqliteStorage(path);
    return { storage, queues: undefined, keys: secretKeys ?? parseKeyFile(storage.readKeyFile()) };
  };
}

/** Checks that a database can be created where there is none, and creates none. @throws if it can't be */
export async function mustBeCreatable(path: string): Promise<void> {
  (await import('../storage/sqlite/database.ts')).mustBeCreatable(path);
}
