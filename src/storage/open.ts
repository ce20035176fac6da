/** Opens the storage that STORAGE_URL names. */
import type { RedisClientType } from '@keyv/redis';
import type Keyv from 'keyv';
import { RequestRecord } from '../requests/model/record.ts';
import { Notice } from '../requests/model/workspace-notification.ts';
import type { Locks } from '../requests/ports/locks.ts';
import type { Log, NoticeStore, RequestStore } from '../requests/ports/ports.ts';
import type { RateLimiter } from '../requests/ports/rate-limiter.ts';
import type { DepartureStore } from '../workspaces/installation/uninstall.ts';
import { Departure } from '../workspaces/installation/uninstall-record.ts';
import type { IndexedStore } from '../workspaces/rows.ts';
import { createLocks } from './locks.ts';
import { createParseOnce } from './parse-once.ts';
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
  notices: NoticeStore;
  departures: DepartureStore;
  limiter: RateLimiter;
  locks: Locks;
  /** A keyv of its own for each kind of thing. A storage that is away throws: it never looks like an empty one. */
  keyv(namespace: string): Keyv;
  /** A keyv with an index of its own beside it. */
  indexed(namespace: string): IndexedStore;
  /**
   * Must be called before the storage is used.
   *
   * @throws in one sentence, where it can't be reached or must not be trusted
   */
  open(log: Log): Promise<void>;
  /**
   * For a bot, which terminal commands may work beside.
   *
   * @throws in one sentence, where it has to be the only one and is not
   */
  claim(): void;
  /** @throws where the storage can't be written */
  ping(): Promise<void>;
  /**
   * Sees to it that nothing that was removed, or has expired, can be read any more where it was stored.
   *
   * @throws where that was not possible: it has to be done again
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
};

export type RedisStorage = Storage & {
  /** For the queue, once the storage is open: a client of its own, which is closed with the storage. */
  queue: { client: RedisClientType; prefix: string };
};

export type SqliteStorage = Storage & {
  /** Whether something in it was sealed: then the key that did it must not be replaced. */
  holdsSecrets(): boolean;
};

const PING = script("return redis.call('SET', KEYS[1], 'pong', 'PX', 60000)");

export function openRedisStorage({ url, prefix, sentinels }: RedisAddress): RedisStorage {
  const relay = sentinels && createRelay(url, sentinels);
  const connection = createRedisConnection(url, undefined, relay?.path);
  const client = createQueueClient(url, relay?.path);
  const parseOnce = createParseOnce();
  const keyv = (namespace: string) => parseOnce(openRedisKeyv(connection, prefix, namespace));
  return {
    queue: { client, prefix },
    requests: createRedisRecordStore(connection, prefix, 'requests', RequestRecord),
    notices: createRedisRecordStore(connection, prefix, 'notices', Notice),
    departures: createRedisRecordStore(connection, prefix, 'departures', Departure),
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
    // Replicas share it.
    claim: () => {},
    // Written, since a server that takes no writes is of no use.
    ping: async () => void (await connection.run(PING, [`${prefix}:ping`])),
    // Redis forgets by itself; its files are rewritten as it is set up to (docs/security.md).
    scrub: async () => {},
    async close() {
      if (client.isOpen) client.destroy();
      await connection.close();
      await relay?.close();
    },
  };
}

/** @param path of the SQLite file */
export function openSqliteStorage(path: string): SqliteStorage {
  const database = openDatabase(path);
  const ping = database.prepare(
    `INSERT INTO locks (name, owner, until) VALUES ('ping', '', ?)
     ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
  );
  const parseOnce = createParseOnce();
  const keyv = (namespace: string) => parseOnce(openSqliteKeyv(database, namespace));
  let release: (() => void) | undefined;
  return {
    requests: createSqliteRecordStore(database, 'requests', RequestRecord),
    notices: createSqliteRecordStore(database, 'notices', Notice),
    departures: createSqliteRecordStore(database, 'departures', Departure),
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
    // Written, since a full disk reads well. The lock of that name is held by nobody.
    ping: () => database.write(() => void ping.run(Date.now())),
    scrub: () => scrub(database),
    async close() {
      database.close();
      release?.();
    },
  };
}
