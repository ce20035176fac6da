/** Finds the current master of a Redis with sentinels. */
import type { RedisClientType } from '@keyv/redis';
import type { Sentinels } from '../../storage-address.ts';
import { createRedisClient, reasonOf } from './connection.ts';

export type Master = { host: string; port: number };

/** The time-out of a sentinel, or of the server that it names: for connecting, and again for answering. */
const TIMEOUT_MS = 1_000;

/**
 * Finds the server that takes writes, by asking the sentinels
 * (https://redis.io/docs/latest/develop/reference/sentinel-clients/).
 *
 * @param url provides the user and password for the server
 * @throws in a few words, if no master is known, or the named server is none: a former master may not know yet that it is none
 */
export async function findMaster(url: string, sentinels: Sentinels): Promise<Master> {
  const master = await askSentinels(sentinels);
  const role = await ask(urlOf(url, master), async (client) => (await client.hello()).role).catch((error) => {
    throw new Error(`${hostAndPort(master)}, the master: ${reasonOf(error)}`);
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
  const why = asked.map((answer, n) =>
    answer.status === 'rejected' ? reasonAt(urls[n], answer.reason) : '',
  );
  throw new Error(`no sentinel knows a master "${master}": ${why.join('; ')}`);
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
