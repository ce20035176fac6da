/** Creates clients of node-redis that share one class, also those of queues, and says why one failed. */
import { createClient, type RedisClientOptions, type RedisClientType } from '@keyv/redis';
import { withoutArguments } from '../../../log/lines.ts';

/**
 * Duplicates a client that is never connected. node-redis makes a class with a method for each of its 400 commands
 * whenever the options differ from those before (@redis/client, lib/client/index.js, `factory`): some 45 ms and 17 MB
 * each. With no options it is the same class every time, and a duplicate has the class of its original.
 */
export function createRedisClient(options: RedisClientOptions): RedisClientType {
  return createClient({}).duplicate(options) as RedisClientType;
}

export type ClientAddress = { url: string; socket: { path: string; tls: false } | object };

/** @param path a local socket in place of the host; its listener is then responsible for TLS */
export function addressOf(url: string, path?: string): ClientAddress {
  if (path === undefined) return { url, socket: {} };
  return { url: url.replace(/^rediss:/, 'redis:'), socket: { path, tls: false } };
}

/** Explains in a few words why something failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If all addresses of a name failed, there is no message.
  return withoutArguments(error.message) || ('code' in error ? String(error.code) : error.name);
}

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
