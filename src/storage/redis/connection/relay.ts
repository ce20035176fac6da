/**
 * Finds the current master of a Redis with sentinels, and relays connections to it. node-redis connects a client to one
 * address for life, and BullMQ duplicates the client it is given. So clients get a local socket, which leads to the current
 * master. Each connection of a client has one to the server, and both end together: a client that reconnects reaches the
 * new master. Bytes are relayed unchanged, so clients keep their own time-outs, queueing and fencing.
 *
 * The Sentinel client of node-redis (createSentinel, @redis/client 5.12) can't replace the relay: it repeats a command whose
 * connection was lost up to 16 times, though the first try may have been carried out; it waits for a new master for as
 * long as it takes; and it lacks the events and states by which BullMQ knows whether a client is connected.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { RedisClientType } from '@keyv/redis';
import type { Log } from '../../../outbox/ports.ts';
import { isUnavailable } from '../../storage.ts';
import type { Sentinels } from '../../storage-address.ts';
import { createRedisClient, reasonOf, unreachable } from './connection.ts';

type Master = { host: string; port: number };

const CONNECT_MS = 2_000;
/**
 * The interval at which the sentinels are asked in normal operation: a former master that is cut off from them may still
 * answer us.
 */
const WATCH_MS = 1_000;

/** @param url provides user and password for the master; rediss: means TLS to it */
export function createRelay(url: string, sentinels: Sentinels) {
  const folder = join(tmpdir(), `countermand-${randomBytes(8).toString('hex')}`);
  const path = join(folder, 'redis');
  const report = createReport();
  const find = sharingOne(() => findMaster(url, sentinels));
  const links = createLinks(find, url.startsWith('rediss:'), report);
  const server = createServer(links.add);
  let watching: NodeJS.Timeout | undefined;

  /** Follows the master. Unreachable sentinels change nothing, because only they know of another master. */
  async function watch(): Promise<void> {
    await askSentinels(sentinels).then(links.keepOnly, () => {});
    watching?.refresh();
  }

  return {
    /** The socket's path. Connections to it need no TLS, because only this user can open it. */
    path,
    /** @throws in one sentence, if no master is found: StorageUnavailableError if one may be found later */
    async open(log: Log): Promise<void> {
      report.to(log);
      await find().catch((error) => {
        const refused = unreachable(error);
        throw isUnavailable(error) ? refused : new Error(refused.message);
      });
      mkdirSync(folder, { mode: 0o700 });
      server.listen(path);
      await once(server, 'listening');
      watching = setTimeout(() => void watch(), WATCH_MS).unref();
    },
    async close(): Promise<void> {
      clearTimeout(watching);
      watching = undefined;
      links.keepOnly(undefined);
      if (server.listening) await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Shares one question among all callers who come before its answer: many clients reconnect at once when a master has died. */
function sharingOne<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** Joins each client connection with one to the server. */
function createLinks(find: () => Promise<Master>, tls: boolean, report: Report) {
  /** The server of each client socket; undefined: not joined yet. */
  const links = new Map<Socket, Master | undefined>();

  async function join(client: Socket): Promise<void> {
    const master = await find();
    if (client.destroyed) return;
    links.set(client, master);
    const server = await connectTo(master, tls);
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    if (client.destroyed) server.destroy();
    server.pipe(client).pipe(server);
    report.found(master);
  }

  return {
    add(client: Socket): void {
      links.set(client, undefined);
      // Without a listener Node would end the process. Its 'close' follows, and ends the other side.
      client.on('error', () => {});
      client.once('close', () => links.delete(client));
      join(client).catch((error) => {
        report.lost(error);
        client.destroy();
      });
    },
    /** Ends the connections to other servers. @param master undefined: ends all connections */
    keepOnly(master: Master | undefined): void {
      for (const [client, to] of links) {
        if (!master || (to && hostAndPort(to) !== hostAndPort(master))) client.destroy();
      }
    },
  };
}

/** @throws if there is no connection in time, or its certificate is invalid */
async function connectTo({ host, port }: Master, tls: boolean): Promise<Socket> {
  const options = { host, port, noDelay: true, keepAlive: true };
  // Without a listener Node would end the process. Its 'close' follows, and ends the other side.
  const socket = (tls ? connectTls(options) : connect(options)).on('error', () => {});
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

type Report = ReturnType<typeof createReport>;

/** Logs each new master, and once when no master is found any more. */
function createReport() {
  let log: Log | undefined;
  let said: string | undefined;
  return {
    to(given: Log) {
      log = given;
    },
    found(found: Master) {
      const master = hostAndPort(found);
      if (said !== master) log?.info({ master }, 'Redis master found');
      said = master;
    },
    lost(error: unknown) {
      if (said !== undefined) log?.warn({ why: reasonOf(error) }, 'no Redis master found');
      said = undefined;
    },
  };
}

/** The time-out of a sentinel, or of the server that it names: for connecting, and again for answering. */
const TIMEOUT_MS = 1_000;

/**
 * Finds the server that takes writes, by asking the sentinels
 * (https://redis.io/docs/latest/develop/reference/sentinel-clients/).
 *
 * @param url provides the user and password for the server
 * @throws in a few words, if no sentinel knows a master, or the named server is none: the sentinels may have outdated data
 */
export async function findMaster(url: string, sentinels: Sentinels): Promise<Master> {
  const master = await askSentinels(sentinels);
  const role = await ask(urlOf(url, master), async (client) => (await client.hello()).role).catch((error) => {
    throw new AggregateError([error], `${hostAndPort(master)}, the master: ${reasonOf(error)}`);
  });
  if (role !== 'master') throw new Error(`${hostAndPort(master)}, which the sentinels name, is a ${role}`);
  return master;
}

/**
 * Asks all sentinels and believes the one that knows of the latest failover, because another may be partitioned.
 *
 * @throws in a few words, if no sentinel knows the master
 */
export async function askSentinels({ urls, master }: Sentinels): Promise<Master> {
  const asked = await Promise.allSettled(urls.map((url) => ask(url, (client) => masterOf(client, master))));
  const known = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [latest] = known.sort((a, b) => b.epoch - a.epoch);
  if (latest) return { host: latest.host, port: latest.port };
  const errors: unknown[] = asked.map((answer) => answer.status === 'rejected' && answer.reason);
  const why = errors.map((error, n) => reasonAt(urls[n], error));
  throw new AggregateError(errors, `no sentinel knows a master "${master}": ${why.join('; ')}`);
}

export const hostAndPort = ({ host, port }: Master): string => `${inUrl(host)}:${port}`;

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

const reasonAt = (url = '', error: unknown) => `${URL.parse(url)?.host}: ${reasonOf(error)}`;

function urlOf(url: string, { host, port }: Master): string {
  const to = new URL(url);
  to.hostname = inUrl(host);
  to.port = String(port);
  return to.href;
}

/** Asks a question over a connection of its own: the server may have died since the last one. */
async function ask<T>(url: string, question: (client: RedisClientType) => Promise<T>): Promise<T> {
  const client: RedisClientType = createRedisClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // The promise of the command has the error.
  client.on('error', () => {});
  try {
    await client.connect();
    return await question(client);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

async function masterOf(client: RedisClientType, name: string): Promise<Master & { epoch: number }> {
  const fields = pairs(await client.sendCommand(['SENTINEL', 'MASTER', name]));
  const [host, port, epoch] = [fields['ip'], Number(fields['port']), Number(fields['config-epoch'])];
  if (!host || !Number.isInteger(port) || !Number.isInteger(epoch)) throw new Error('an unreadable answer');
  return { host, port, epoch };
}

function pairs(reply: unknown): Record<string, string> {
  const list = Array.isArray(reply) ? reply.map(String) : [];
  return Object.fromEntries(list.flatMap((field, n) => (n % 2 === 0 ? [[field, list[n + 1] ?? '']] : [])));
}
