/**
 * Creates the client of a queue. It blocks while it waits for jobs, so its time-outs are longer than those for records.
 */
import type { RedisClientType } from '@keyv/redis';
import { addressOf } from './client-address.ts';
import { createRedisClient } from './create-client.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Longer than a blocking command waits (BullMQ: 5 s): a connection without traffic for so long is closed. After an
 * outage of Redis a command may wait for an answer that never comes (seen with node-redis 5), and a worker with it.
 */
const SILENCE_MS = 10_000;
const PING_MS = 5_000;
const LONGEST_BACKOFF_MS = 1_000;

/**
 * Creates a client that is not connected yet. Unlike for records, commands wait while it is offline: a late wake-up
 * does no harm, and if commands failed at once, BullMQ would repeat them without a pause in which the connection could
 * be restored.
 *
 * @param url provides user, password, database and TLS
 * @param path a socket that leads to the server, in place of its address
 */
export function createQueueClient(url: string, path?: string): RedisClientType {
  const address = addressOf(url, path);
  return createRedisClient({
    ...address,
    pingInterval: PING_MS,
    socket: {
      ...address.socket,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_BACKOFF_MS),
    },
  });
}
