/** Opens the storage in Redis. Loaded only where STORAGE_URL names one: its client is a fifth of all modules. */
import KeyvRedis, { type RedisClientType } from '@keyv/redis';
import Keyv from 'keyv';
import { RECORD_TYPES } from '../../outbox/record-store.ts';
import { isUnavailable, openRecordStores, type Storage } from '../storage.ts';
import type { RedisAddress } from '../storage-address.ts';
import { createStorageVersion, mustBeUsable, SCHEMA_VERSION } from '../storage-version.ts';
import { script } from './connection/commands.ts';
import {
  createQueueClient,
  createRedisConnection,
  type RedisConnection,
  unreachable,
} from './connection/connection.ts';
import { createRelay } from './connection/relay.ts';
import { keyvNamespace, recordKeys } from './keys.ts';
import { createRedisRateLimiter } from './rate-limiter.ts';
import { createRedisRecordStore } from './record-store.ts';
import { createReplicated, lostReplicas } from './replicated.ts';

export type RedisStorage = Storage & {
  /** For the queue, once the storage is open: a client of its own, which is closed with the storage. */
  queue: { client: RedisClientType; prefix: string };
};

/**
 * Reads the oldest version that can work on the storage; 0: written before 0.5.0. An empty storage gets the version of the bot
 * that first opens it.
 */
const READ_OLDEST = script(`
local oldest = redis.call('GET', KEYS[1])
if oldest then return oldest end
if redis.call('EXISTS', unpack(KEYS, 2)) > 0 then return '0' end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]`);

const SET = script("return redis.call('SET', KEYS[1], ARGV[2])");

/** The lists that 0.4.0 kept: a storage that it used has at least one of them. */
const INDEXES_OF_0_4 = ['connections', 'installations'];

/** Names the storage at the beginning of sentences. The address is left out, because it may hold a password. */
const NAME = 'Redis (STORAGE_URL)';

const PING = script("return redis.call('SET', KEYS[1], 'pong', 'PX', 60000)");

export function openRedisStorage({ url, prefix, sentinels }: RedisAddress): RedisStorage {
  const relay = sentinels && createRelay(url, sentinels);
  const connection = createRedisConnection(url, undefined, relay?.path);
  const client = createQueueClient(url, relay?.path);
  const versionKey = `${prefix}:version`;
  const older = [
    ...RECORD_TYPES.map((type) => recordKeys(prefix, type).workspaces),
    ...INDEXES_OF_0_4.map((name) => `${prefix}:index:${name}:list:all`),
  ];
  const oldest = async () =>
    Number((await connection.run(READ_OLDEST, [versionKey, ...older], [`${SCHEMA_VERSION}`])).value);
  return {
    queue: { client, prefix },
    ...openRecordStores((type, schema) => createRedisRecordStore(connection, prefix, type, schema)),
    replicated: createReplicated({ connection, prefix, behindSentinels: sentinels !== undefined }),
    version: createStorageVersion(
      NAME,
      oldest,
      async (to) => void (await connection.run(SET, [versionKey], [`${to}`])),
    ),
    limiter: createRedisRateLimiter(connection, prefix),
    keyv: (namespace) => openRedisKeyv(connection, prefix, namespace),
    async open(log) {
      await relay?.open(log);
      try {
        await connection.open(log);
        mustBeUsable(NAME, await oldest());
        for (const warning of await lostReplicas(connection, prefix)) log.warn({ storage: 'redis' }, warning);
      } catch (refused) {
        await connection.close();
        await relay?.close();
        // Even after the check, the connection may be lost, and Redis runs no script while it reads its file.
        throw isUnavailable(refused) ? unreachable(refused) : refused;
      }
    },
    // Several bots can use it.
    lock: () => {},
    // Writes, because a server that takes no writes is of no use.
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

const UNLINK = script("return redis.call('UNLINK', unpack(KEYS))");

/**
 * Opens keyv, for values where the last write may win.
 *
 * @param prefix the prefix of every key
 * @param namespace separates the keys of one kind. KeyvRedis puts it in front of the key exactly once: keyv itself
 *   would omit it if a key already begins with it
 */
export function openRedisKeyv(connection: RedisConnection, prefix: string, namespace: string): Keyv {
  const store = new KeyvRedis(clientFor(connection), {
    keyPrefixSeparator: ':',
    throwOnErrors: true,
    throwOnConnectError: true,
  });
  return new Keyv({
    store,
    namespace: keyvNamespace(prefix, namespace),
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
  });
}

/**
 * Wraps the client for KeyvRedis, with our time-outs and fenced writes. It always claims to be open, because KeyvRedis
 * would otherwise open a connection of its own. It has no transactions, which node-redis queues, and no SCAN, because
 * nothing scans all keys.
 */
function clientFor({ read, run }: RedisConnection): RedisClientType {
  type Client = Pick<RedisClientType, 'isOpen' | 'connect' | 'get' | 'mGet' | 'set' | 'unlink'>;
  const client = {
    isOpen: true,
    on: () => client,
    connect: async () => client,
    get: (key: string) => read((redis) => redis.get(key)),
    mGet: (keys: string[]) => read((redis) => redis.mGet(keys)),
    set: async (key: string, value: string) => (await run(SET, [key], [value])).value,
    unlink: async (keys: string | string[]) => (await run(UNLINK, [keys].flat())).value,
  } satisfies Record<keyof Client | 'on', unknown>;
  return client as unknown as RedisClientType;
}
