/**
 * Connects to Redis and fails closed: a command is answered in time, or it fails. A failed command may have been
 * executed before that, with its answer lost, but never afterwards. Only the client of the queue waits.
 */
import { createClient, type RedisClientOptions, type RedisClientType } from '@keyv/redis';
import { withoutArguments } from '../../../log.ts';
import type { Log } from '../../../outbox/ports.ts';
import { isUnavailable, StorageUnavailableError } from '../../storage.ts';
import { checkServer } from './check-server.ts';
import { type Commands, createCommands, createServerClock } from './commands.ts';
import { delayRefusals, leaveReplicas, leaveSilent } from './refusals.ts';

export type RedisConnection = Pick<Commands, 'read' | 'run'> & {
  /**
   * Connects, and checks that the server is safe for requests. From then on a lost connection is restored, forever.
   *
   * @throws in one sentence: StorageUnavailableError if the server may be opened again later, another error if it must not
   *   be used
   */
  open(log: Log): Promise<void>;
  /** The number of connections so far: while it stays, every command reaches the same server. */
  connectionCount(): number;
  /** Waits for the answers under way, and disconnects. */
  close(): Promise<void>;
};

/** All in milliseconds. */
export type RedisLimits = {
  /** The time-out of a connection. */
  connect: number;
  /** The time-out of a command's answer. */
  answer: number;
  /** The time without traffic after which a connection is closed. */
  silence: number;
  /** The interval of pings, which keep a healthy connection active. */
  ping: number;
};

/** Slack waits three seconds for us, and we often need several answers of the storage. */
const LIMITS: RedisLimits = { connect: 2_000, answer: 1_500, silence: 4_000, ping: 1_000 };
const LONGEST_BACKOFF_MS = 1_000;

/**
 * @param url provides user, password, database and TLS
 * @param path a socket that leads to the server, in place of its address
 */
export function createRedisConnection(
  url: string,
  limits: RedisLimits = LIMITS,
  path?: string,
): RedisConnection {
  /** Set while it is open. */
  let log: Log | undefined;
  let isLost = false;
  let connections = 0;
  const clock = createServerClock();
  const client = createFailingClient(addressOf(url, path), limits, () => log !== undefined);
  // A lost connection is logged once, and its recovery once, however many tries it takes.
  client.on('error', (error) => {
    // A ping that a healthy connection refuses is one, too.
    if (client.isReady) return;
    if (!isLost) log?.warn({ err: error }, 'connection to Redis lost');
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) log?.info({}, 'connection to Redis restored');
    isLost = false;
    // The new connection may lead to another server.
    clock.forget();
    connections += 1;
  });
  const { read, run, idle } = createCommands(client, clock, limits.answer);
  const disconnect = () => {
    if (client.isOpen) client.destroy();
  };

  return {
    read,
    run,
    async open(given) {
      try {
        await connect(client);
        for (const warning of await checkServer(client)) given.warn({ storage: 'redis' }, warning);
      } catch (error) {
        disconnect();
        throw isUnavailable(error) ? unreachable(error) : error;
      }
      log = given;
    },
    connectionCount: () => connections,
    async close() {
      log = undefined;
      await idle();
      disconnect();
    },
  };
}

/**
 * Creates a client without an offline queue. The first connection is tried only once: nobody knows yet whether it ever
 * works.
 */
function createFailingClient(
  { url, socket }: ClientAddress,
  { connect: connectTimeout, silence: socketTimeout, ping: pingInterval }: RedisLimits,
  mayTryAgain: () => boolean,
): RedisClientType {
  const client = createRedisClient({
    url,
    disableOfflineQueue: true,
    pingInterval,
    socket: {
      ...socket,
      connectTimeout,
      socketTimeout,
      reconnectStrategy: (tries) => mayTryAgain() && reconnectMs(tries),
    },
  });
  return leaveReplicas(client);
}

const reconnectMs = (tries: number) =>
  Math.min(20 * 2 ** tries, LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);

async function connect(client: RedisClientType): Promise<void> {
  try {
    await client.connect();
    // A STORAGE_URL without a password is refused by the first command, not by the connection.
    await client.ping();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const reason = reasonOf(error);
    const what = /^(WRONGPASS|NOAUTH) /.test(reason)
      ? 'Redis does not accept the user or the password of STORAGE_URL'
      : 'Redis cannot be reached at STORAGE_URL';
    throw new Error(`${what} (${reason}).`);
  }
}

/** The error of a storage that may be opened later. */
export const unreachable = (error: unknown): StorageUnavailableError =>
  new StorageUnavailableError(`Redis cannot be reached at STORAGE_URL (${reasonOf(error)}).`);

/**
 * Duplicates a client that is never connected. node-redis makes a class with a method for each of its 400 commands
 * whenever the options differ from those before (@redis/client, lib/client/index.js, `factory`): some 45 ms and 17 MB
 * each. With no options it is the same class every time, and a duplicate has the class of its original.
 */
export function createRedisClient(options: RedisClientOptions): RedisClientType {
  return createClient({}).duplicate(options) as RedisClientType;
}

type ClientAddress = { url: string; socket: { path: string; tls: false } | object };

/** @param path a local socket in place of the host; its listener is then responsible for TLS */
function addressOf(url: string, path?: string): ClientAddress {
  if (path === undefined) return { url, socket: {} };
  return { url: url.replace(/^rediss:/, 'redis:'), socket: { path, tls: false } };
}

/** Explains in a few words why something failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The error has no message if all addresses of a name failed.
  return withoutArguments(error.message) || ('code' in error ? String(error.code) : error.name);
}

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * The time after which a connection without traffic is closed; longer than a blocking command waits (BullMQ: 5 s). After an
 * outage of Redis a command may wait for an answer that never comes (seen with node-redis 5), and a worker with it.
 */
const SILENCE_MS = 10_000;
const PING_MS = 5_000;

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
  const client = createRedisClient({
    ...address,
    pingInterval: PING_MS,
    socket: {
      ...address.socket,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_BACKOFF_MS),
    },
  });
  leaveSilent(client, SILENCE_MS);
  return delayRefusals(leaveReplicas(client));
}
