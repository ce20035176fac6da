/** Opens keyv over Redis, for values where the last write may win. */
import KeyvRedis, { type RedisClientType } from '@keyv/redis';
import Keyv from 'keyv';
import { script } from './connection/commands.ts';
import type { RedisConnection } from './connection/connection.ts';
import { keyvNamespace } from './keys.ts';

const SET = script("return redis.call('SET', KEYS[1], ARGV[2])");

const UNLINK = script("return redis.call('UNLINK', unpack(KEYS))");

/**
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
