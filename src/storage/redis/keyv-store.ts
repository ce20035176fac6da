/** keyv in Redis: what is stored by key, where the last write may win. */
import KeyvRedis, { type RedisClientType } from '@keyv/redis';
import Keyv from 'keyv';
import type { RedisConnection } from './connection/connection.ts';
import { keyvNamespace } from './keys.ts';
import { script } from './script.ts';

const SET = script(`
local _, value, ttl = unpack(ARGV)
if ttl == '' then return redis.call('SET', KEYS[1], value) end
return redis.call('SET', KEYS[1], value, 'PX', ttl)`);

const UNLINK = script("return redis.call('UNLINK', unpack(KEYS))");

/**
 * @param prefix of every key
 * @param namespace of keys of their own. It stands in front of the key once, put there by KeyvRedis: keyv itself would
 *   leave it out where a key begins with it already
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
 * The client as KeyvRedis sees it, with our time-outs and fenced writes. It is always open: KeyvRedis would make a
 * connection of its own where it finds none. It has no transactions: node-redis keeps those for later. Nor has it SCAN:
 * nothing looks through all keys.
 */
function clientFor({ read, run }: RedisConnection): RedisClientType {
  type Client = Pick<RedisClientType, 'isOpen' | 'connect' | 'get' | 'mGet' | 'set' | 'unlink'>;
  const client = {
    isOpen: true,
    on: () => client,
    connect: async () => client,
    get: (key: string) => read((redis) => redis.get(key)),
    mGet: (keys: string[]) => read((redis) => redis.mGet(keys)),
    set: async (key: string, value: string, { PX = '' }: { PX?: number | '' } = {}) =>
      (await run(SET, [key], [value, `${PX}`])).value,
    unlink: async (keys: string | string[]) => (await run(UNLINK, [keys].flat())).value,
  } satisfies Record<keyof Client | 'on', unknown>;
  return client as unknown as RedisClientType;
}
