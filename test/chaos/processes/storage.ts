/** The storage of a run: a SQLite file, a Redis behind a proxy, or several behind a sentinel. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@keyv/redis';
import { findMaster, hostAndPort } from '../../../src/storage/redis/connection/relay.ts';
import { recordKeys } from '../../../src/storage/redis/keys.ts';
import { type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { MASTER } from '../../support/redis/sentinel-process.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import type { StorageName } from '../options.ts';
import { type RedisProxy, startRedisProxy } from './redis-proxy.ts';
import { startWatchedServers, type WatchedServers } from './watched-servers.ts';

export type ChaosStorage = {
  env: Record<string, string>;
  /** The number of records with an effect that is due soon; an expiry in hours does not count. */
  pending(): Promise<number>;
  /** All that is stored, a line for each value. */
  dump(): Promise<string[]>;
  redis?: { server: RedisServer; proxy: RedisProxy };
  watched?: WatchedServers;
  close(): Promise<void>;
};

/** @param folder for the file of SQLite */
export const openStorage = (name: StorageName, folder: string): Promise<ChaosStorage> | ChaosStorage =>
  ({ sqlite: openSqlite, redis: openRedis, sentinel: openWatched })[name](folder);

/** Retries come within a minute; approvals expire after hours. */
const SOON_MS = 5 * 60_000;
const TABLES = ['requests', 'notices', 'uninstalls'] as const;

function openSqlite(folder: string): ChaosStorage {
  const path = join(folder, 'bot.db');
  return {
    env: { STORAGE_URL: `sqlite:${path}` },
    pending: async () => {
      const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
      try {
        const counts = TABLES.map((table) => countDue(database, table));
        return counts.reduce((sum, count) => sum + count, 0);
      } finally {
        database.close();
      }
    },
    dump: () => readRaw({ type: 'sqlite', path }),
    close: async () => {},
  };
}

function countDue(database: DatabaseSync, table: string): number {
  const found = database.prepare(`SELECT COUNT(*) AS count FROM ${table} WHERE due_at < ?`);
  return Number(found.get(Date.now() + SOON_MS)?.['count']);
}

const PREFIX = 'countermand';

const secretKeys = () => `chaos:${randomBytes(32).toString('base64')}`;

/** Each write is on disk before it is answered, so that a killed Redis loses nothing that it acknowledged. */
async function openRedis(): Promise<ChaosStorage> {
  const server = await startRedisServer(['--appendfsync', 'always']);
  const { port } = new URL(server.url);
  const proxy = await startRedisProxy(Number(port));
  return {
    env: {
      STORAGE_URL: `redis://127.0.0.1:${proxy.port}?prefix=${PREFIX}`,
      SECRET_KEYS: secretKeys(),
    },
    redis: { server, proxy },
    pending: () => dueInRedis(server.url),
    dump: () => dumpRedis(server.url),
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

async function openWatched(): Promise<ChaosStorage> {
  const watched = await startWatchedServers();
  const sentinels = { urls: [`redis://${watched.sentinel}`], master: MASTER };
  const master = async () => `redis://${hostAndPort(await findMaster('redis://master', sentinels))}`;
  return {
    env: {
      STORAGE_URL: `redis+sentinel://${watched.sentinel}/${MASTER}?prefix=${PREFIX}`,
      SECRET_KEYS: secretKeys(),
    },
    watched,
    pending: async () => dueInRedis(await master()),
    dump: async () => dumpRedis(await master()),
    close: watched.stop,
  };
}

const dumpRedis = (url: string) => readRaw({ type: 'redis', url, prefix: PREFIX });

async function dueInRedis(url: string): Promise<number> {
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  try {
    const until = Date.now() + SOON_MS;
    const counts = TABLES.map((name) => client.zCount(recordKeys(PREFIX, name).waiting, '-inf', until));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  } finally {
    client.destroy();
  }
}
