/** What the bot and the terminal commands have in common: storage, the order service, connections. */
import { type Config, parseSecretKeys } from './config.ts';
import { checkToken } from './order-service/check-token.ts';
import { createOrderService, type OrderService } from './order-service/client.ts';
import type { Limits } from './order-service/request.ts';
import { revoke } from './order-service/revoke.ts';
import { owesOutcome } from './requests/pending.ts';
import { keyFilePath, readOrMakeKeyFile } from './storage/key-file.ts';
import { openRedisStorage, openSqliteStorage, type RedisStorage, type Storage } from './storage/open.ts';
import { createCipher, type SecretKey } from './workspaces/cipher.ts';
import { type Connected, type Connecting, connect } from './workspaces/connect.ts';
import { type Connections, createConnections } from './workspaces/connections.ts';
import {
  type Disconnected,
  type DisconnectPlan,
  disconnect,
  planDisconnect,
} from './workspaces/disconnect.ts';
import { type ConnectPlan, planConnect } from './workspaces/plan-connect.ts';
import { createSettingsStore, type SettingsStore } from './workspaces/settings.ts';
import { createSightings, type Sightings } from './workspaces/sightings.ts';

export type Parts = {
  storage: Storage;
  /** Where several replicas may work: what the queue between them needs. */
  queue: RedisStorage['queue'] | undefined;
  service: OrderService;
  connections: Connections;
  settings: SettingsStore;
  sightings: Sightings;
  planConnect: (workspace: string) => Promise<ConnectPlan>;
  connect: (connecting: Connecting) => Promise<Connected>;
  planDisconnect: (workspace: string) => Promise<DisconnectPlan>;
  disconnect: (workspace: string) => Promise<Disconnected>;
  close(): Promise<void>;
};

/** @throws where the storage can't be opened, or its keys are missing */
export function createParts(config: Config, serviceLimits?: Limits): Parts {
  const { storage, queue, keys } = createStorage(config);
  const service = createOrderService(config.orderService.url, {
    cancelRoute: config.orderService.cancelRoute,
    limits: serviceLimits,
  });
  const stores = { connections: storage.keyv('connections'), endpoints: storage.keyv('endpoints') };
  const connections = createConnections(stores, createCipher(keys), Date.now);
  const settings = createSettingsStore(storage.keyv('settings'));
  const sighted = {
    call: storage.keyv('last_calls'),
    event: storage.keyv('last_events'),
    refusal: storage.keyv('refusals'),
  };
  const sightings = createSightings(sighted, Date.now);
  const hasPending = (workspace: string) => owesOutcome(storage.requests, workspace);
  const revokeToken = (token: string) => revoke(service, token);
  const connectDeps = {
    connections,
    settings,
    sightings,
    revoke: revokeToken,
    hasPending,
    publicUrl: config.publicUrl,
    checkToken: (token: string) => checkToken(service, token),
    now: Date.now,
  };
  const disconnectDeps = { connections, hasPending, revoke: revokeToken };
  return {
    storage,
    queue,
    service,
    connections,
    settings,
    sightings,
    planConnect: (workspace) => planConnect(connectDeps, workspace),
    connect: (connecting) => connect(connectDeps, connecting),
    planDisconnect: (workspace) => planDisconnect(disconnectDeps, workspace),
    disconnect: (workspace) => disconnect(disconnectDeps, workspace),
    async close() {
      await service.close();
      await storage.close();
    },
  };
}

type Keys = [SecretKey, ...SecretKey[]];

/** Without SECRET_KEYS the key lies beside the database. A database that holds secrets never gets a new one. */
function createStorage({
  storage: address,
  secretKeys,
}: Config): Pick<Parts, 'storage' | 'queue'> & { keys: Keys } {
  if (address.type === 'redis') {
    if (!secretKeys) throw new Error('With Redis, SECRET_KEYS is needed.');
    const storage = openRedisStorage(address);
    return { storage, queue: storage.queue, keys: secretKeys };
  }
  const storage = openSqliteStorage(address.path);
  const file = keyFilePath(address.path);
  const read = () =>
    parseSecretKeys(readOrMakeKeyFile(file, !storage.holdsSecrets()), `The key file ${file}`);
  return { storage, queue: undefined, keys: secretKeys ?? read() };
}
