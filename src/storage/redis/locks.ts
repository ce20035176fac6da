/** Stores the locks of all replicas in Redis. */
import type { LockTable } from '../locks.ts';
import type { RedisConnection } from './connection/connection.ts';
import { lockKey } from './keys.ts';
import { script } from './script.ts';

const TAKE = script("return redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3]) and 1");

const RELEASE = script("if redis.call('GET', KEYS[1]) == ARGV[2] then redis.call('DEL', KEYS[1]) end");

/** @param prefix the prefix of every key */
export function createRedisLockTable(connection: RedisConnection, prefix: string): LockTable {
  return {
    take: async (name, owner, ms) =>
      (await connection.run(TAKE, [lockKey(prefix, name)], [owner, `${ms}`])).value === 1,
    release: async (name, owner) => void (await connection.run(RELEASE, [lockKey(prefix, name)], [owner])),
  };
}
