/** The client that a queue works with: it waits for jobs, and so it can't be as impatient as the one for records. */
import { createClient, type RedisClientType } from '@keyv/redis';
import { addressOf } from './client-address.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Longer than a blocking command waits (BullMQ: 5 s): a connection on which nothing moved for so long is given up. After
 * Redis was away a command may wait for an answer that never comes (seen with node-redis 5), and a worker with it.
 */
const SILENCE_MS = 10_000;
const PING_MS = 5_000;
const LONGEST_BACKOFF_MS = 1_000;

/**
 * Not connected yet. What can't be sent waits, other than for records: a trigger does no harm when it comes late, and BullMQ
 * asks again and again, without a pause that would let the connection be made, where commands fail at once.
 *
 * @param url user, password, database and TLS are taken from it
 * @param path of a socket that leads to the server, in place of its address
 */
export function createQueueClient(url: string, path?: string): RedisClientType {
  const address = addressOf(url, path);
  return createClient({
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
