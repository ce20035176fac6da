/** What the bot and the terminal commands have in common: storage, the order service, connections. */

import type { Config } from '../config.ts';
import type { Limits } from '../http/exchange.ts';
import type { Queues } from '../jobs/queue.ts';
import { checkToken } from '../order-service/check-token.ts';
import { createOrderService, type OrderService } from '../order-service/client.ts';
import { revoke } from '../order-service/revoke.ts';
import type { Log } from '../requests/ports/ports.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { owesOutcome } from '../requests/store/entry.ts';
import type { Storage } from '../storage/storage.ts';
import { createCipher } from '../workspaces/cipher.ts';
import { type Connected, type Connecting, connect } from '../workspaces/connection/connect.ts';
import { createSightings, type Sightings } from '../workspaces/connection/connection-health.ts';
import { type Connections, createConnections } from '../workspaces/connection/connections.ts';
import {
  type Disconnected,
  type DisconnectPlan,
  disconnect,
  planDisconnect,
  revokeOwn,
} from '../workspaces/connection/disconnect.ts';
import { removeSpent } from '../workspaces/connection/finished-connections.ts';
import { type ConnectPlan, planConnect } from '../workspaces/connection/plan-connect.ts';
import { type Forget, forgetRecords } from '../workspaces/installation/forget.ts';
import { createInstallationStore, type InstallationStore } from '../workspaces/installation/installations.ts';
import { createOrganizations, type Organizations } from '../workspaces/installation/organizations.ts';
import type { Sealed } from '../workspaces/rotate-keys.ts';
import { createSettingsStore, type SettingsStore } from '../workspaces/settings.ts';
import { createOnce, type Once } from '../workspaces/single-use.ts';
import { type Keys, loadOutside, type Outside } from './outside.ts';

export type Parts = Stores & {
  outside: Outside;
  storage: Storage;
  /** Where several replicas may work: the queues between them. */
  queues: Queues | undefined;
  service: OrderService;
  revokeOwn: (workspace: string) => Promise<'done' | 'later'>;
  planConnect: (workspace: string) => Promise<ConnectPlan>;
  connect: (connecting: Connecting) => Promise<Connected>;
  planDisconnect: (workspace: string) => Promise<DisconnectPlan>;
  disconnect: (workspace: string) => Promise<Disconnected>;
  /** Removes the connections that nothing is waited for any more. */
  removeSpent: (log: Log, stopping: AbortSignal) => Promise<void>;
  /** What is kept of a workspace, in the order in which it is forgotten. */
  forgets: readonly Forget[];
  /** What holds sealed secrets. */
  sealed: readonly Sealed[];
  close(): Promise<void>;
};

/** The same for the world of this machine. @throws where the storage can't be opened, or its keys are missing */
export async function openParts(config: Config): Promise<Parts> {
  return createParts(config, await loadOutside(config));
}

/** @throws where the storage can't be opened, or its keys are missing */
export function createParts(config: Config, outside: Outside, serviceLimits?: Limits): Parts {
  const { runtime } = outside;
  const { storage, queues, keys } = outside.openStorage(config);
  const { url, cancelRoute } = config.orderService;
  const service = createOrderService(url, {
    cancelRoute,
    limits: serviceLimits,
    transport: outside.connectOrderService(url.origin),
    now: runtime.now,
  });
  const stores = createStores(storage, keys, runtime);
  const { connections, settings, sightings } = stores;
  const hasPending = (workspace: string) => owesOutcome(storage.requests, workspace);
  const revokeToken = (token: string) => revoke(service, token);
  const spentDeps = { connections, sightings, hasPending };
  const disconnectDeps = { ...spentDeps, revoke: revokeToken };
  const connectDeps = {
    ...disconnectDeps,
    settings,
    publicUrl: config.publicUrl,
    checkToken: (token: string) => checkToken(service, token),
    ...runtime,
  };
  return {
    outside,
    storage,
    queues,
    service,
    ...stores,
    revokeOwn: (workspace) => revokeOwn(disconnectDeps, workspace),
    planConnect: (workspace) => planConnect(connectDeps, workspace),
    connect: (connecting) => connect(connectDeps, connecting),
    planDisconnect: (workspace) => planDisconnect(disconnectDeps, workspace),
    disconnect: (workspace) => disconnect(disconnectDeps, workspace),
    removeSpent: (log, stopping) => removeSpent(spentDeps, log, stopping),
    forgets: [
      connections.forget,
      forgetRecords(storage.requests, runtime.pause),
      forgetRecords(storage.notices, runtime.pause),
      ...(queues ? [queues.forget] : []),
      storage.limiter.forget,
      sightings.forget,
      settings.forget,
      () => storage.scrub(),
    ],
    sealed: [connections, stores.installations],
    async close() {
      await service.close();
      await storage.close();
    },
  };
}

/** What is stored by key. */
type Stores = {
  connections: Connections;
  settings: SettingsStore;
  sightings: Sightings;
  installations: InstallationStore;
  organizations: Organizations;
  /** The states of installations that have come back. */
  usedStates: Once;
};

function createStores({ keyv, indexed, locks }: Storage, keys: Keys, { now, uuid }: Runtime): Stores {
  const shared = { cipher: createCipher(keys), locks, now };
  return {
    connections: createConnections(indexed('connections'), shared),
    settings: createSettingsStore(keyv('settings'), locks),
    sightings: createSightings(
      { call: keyv('last_calls'), event: keyv('last_events'), refusal: keyv('refusals') },
      now,
    ),
    installations: createInstallationStore(indexed('installations'), { ...shared, uuid }),
    organizations: createOrganizations(indexed('organizations'), locks),
    usedStates: createOnce(keyv('used_states'), locks),
  };
}
