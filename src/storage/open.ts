/** Opens the storage named by STORAGE_URL. */
import type { RedisClientType } from '@keyv/redis';
import type Keyv from 'keyv';
import { RequestRecord } from '../requests/model/record.ts';
import { WorkspaceNotification } from '../requests/model/workspace-notification.ts';
import type { Locks } from '../requests/ports/locks.ts';
import type { Log, RequestStore, WorkspaceNotificationStore } from '../requests/ports/ports.ts';
import type { RateLimiter } from '../requests/ports/rate-limiter.ts';
import type { UninstallStore } from '../workspaces/installation/uninstall.ts';
import { UninstallRecord } from '../workspaces/installation/uninstall-record.ts';
import type { IndexedStore } from '../workspaces/rows.ts';
import { createLocks } from './locks.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { RedisAddress } from './redis/connection/address.ts';
import { createRedisConnection } from './redis/connection/connection.ts';
import { createQueueClient } from './redis/connection/queue-client.ts';
import { createRelay } from './redis/connection/relay.ts';
import { openRedisKeyv } from './redis/keyv-store.ts';
import { createRedisLockTable } from './redis/locks.ts';
import { createRedisMemberIndex } from './redis/member-index.ts';
import { createRedisRateLimiter } from './redis/rate-limiter.ts';
import { createRedisRecordStore } from './redis/record-store.ts';
import { script } from './redis/script.ts';
import { openDatabase } from './sqlite/database.ts';
import { openSqliteKeyv } from './sqlite/keyv-store.ts';
import { createSqliteLockTable } from './sqlite/locks.ts';
import { createSqliteMemberIndex } from './sqlite/member-index.ts';
import { createSqliteRecordStore } from './sqlite/record-store.ts';
import { scrub } from './sqlite/scrub.ts';
import { claimDatabase } from './sqlite/sole-bot.ts';

export type StorageAddress = { type: 'sqlite'; path: string } | ({ type: 'redis' } & RedisAddress);

export type Storage = {
  requests: RequestStore;
  workspaceNotifications: WorkspaceNotificationStore;
  uninstalls: UninstallStore;
  limiter: RateLimiter;
  locks: Locks;
  /** Opens a keyv with a namespace of its own. An unavailable storage throws, and never looks empty. */
  keyv(namespace: string): Keyv;
  /** Opens a keyv with an index of its own. */
  indexed(namespace: string): IndexedStore;
  /**
   * Must be called before the storage is used.
   *
   * @throws in one sentence, if the storage is unreachable or must not be trusted
   */
  open(log: Log): Promise<void>;
  /**
   * Claims the storage for a bot; terminal commands may work beside it.
   *
   * @throws in one sentence, if it must be the only bot and is not
   */
  claim(): void;
  /** @throws if the storage can't be written */
  ping(): Promise<void>;
  /**
   * Makes removed and expired data unreadable on the disk.
   *
   * @throws if that was not possible: it must be repeated
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
};

export type RedisStorage = Storage & {
  /** A client of its own for the queue, once the storage is open; closed with the storage. */
  queue: { client: RedisClientType; prefix: string };
};

export type SqliteStorage = Storage & {
  /** Whether the storage holds sealed secrets: then their key must not be replaced. */
  holdsSecrets(): boolean;
};

const PING = script("return redis.call('SET', KEYS[1], 'pong', 'PX', 60000)");

export function openRedisStorage({ url, prefix, sentinels }: RedisAddress): RedisStorage {
  const relay = sentinels && createRelay(url, sentinels);
  const connection = createRedisConnection(url, undefined, relay?.path);
  const client = createQueueClient(url, relay?.path);
  const keyv = (namespace: string) => openRedisKeyv(connection, prefix, namespace);
  return {
    queue: { client, prefix },
    requests: createRedisRecordStore(connection, prefix, 'requests', RequestRecord),
    workspaceNotifications: createRedisRecordStore(
      connection,
      prefix,
      'workspace_notifications',
      WorkspaceNotification,
    ),
    uninstalls: createRedisRecordStore(connection, prefix, 'uninstalls', UninstallRecord),
    limiter: createRedisRateLimiter(connection, prefix),
    locks: createLocks(createRedisLockTable(connection, prefix)),
    keyv,
    indexed: (name) => ({
      values: keyv(name),
      index: createRedisMemberIndex(connection, prefix, name),
    }),
    async open(log) {
      await relay?.open(log);
      await connection.open(log).catch(async (refused) => {
        await relay?.close();
        throw refused;
      });
    },
    // Replicas share the storage.
    claim: () => {},
    // Writes, because a server that accepts no writes is useless.
    ping: async () => void (await connection.run(PING, [`${prefix}:ping`])),
    // Redis removes data by itself, and rewrites its files as configured (docs/security.md).
    scrub: async () => {},
    async close() {
      if (client.isOpen) client.destroy();
      await connection.close();
      await relay?.close();
    },
  };
}

/** @param path the path of the SQLite file */
export function openSqliteStorage(path: string): SqliteStorage {
  const database = openDatabase(path);
  const ping = database.prepare(
    `INSERT INTO locks (name, owner, until) VALUES ('ping', '', ?)
     ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
  );
  const keyv = (namespace: string) => openSqliteKeyv(database, namespace);
  let release: (() => void) | undefined;
  return {
    requests: createSqliteRecordStore(database, 'requests', RequestRecord),
    workspaceNotifications: createSqliteRecordStore(
      database,
      'workspace_notifications',
      WorkspaceNotification,
    ),
    uninstalls: createSqliteRecordStore(database, 'uninstalls', UninstallRecord),
    limiter: createRateLimiter(),
    locks: createLocks(createSqliteLockTable(database)),
    keyv,
    indexed: (name) => ({ values: keyv(name), index: createSqliteMemberIndex(database, name) }),
    holdsSecrets: () =>
      database
        .prepare("SELECT 1 FROM members WHERE name IN ('connections', 'installations') LIMIT 1")
        .get() !== undefined,
    open: async () => {},
    claim() {
      if (path !== ':memory:') release ??= claimDatabase(path);
    },
    // Writes, because a full disk is still readable. Nobody holds the lock of that name.
    ping: async () => void ping.run(Date.now()),
    scrub: () => scrub(database),
    async close() {
      database.close();
      release?.();
    },
  };
}
