/** Creates clients of node-redis that share one class. */
import { createClient, type RedisClientOptions, type RedisClientType } from '@keyv/redis';

/**
 * Duplicates a client that is never connected. node-redis makes a class with a method for each of its 400 commands
 * whenever the options differ from those before (@redis/client, lib/client/index.js, `factory`): some 45 ms and 17 MB
 * each. With no options it is the same class every time, and a duplicate has the class of its original.
 */
export function createRedisClient(options: RedisClientOptions): RedisClientType {
  return createClient({}).duplicate(options) as RedisClientType;
}
