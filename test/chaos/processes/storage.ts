/** The storage of a run: an SQLite file, or a Redis of our own, behind a line that can be cut. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@keyv/redis';
import { recordKeys } from '../../../src/storage/redis/keys.ts';
import { type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { layRedisLine, type RedisLine } from '../faults/redis-line.ts';

export type ChaosStorage = {
  env: Record<string, string>;
  /** How many requests and workspace notifications owe something soon; what expires in hours does not count. */
  owed(): Promise<number>;
  redis?: { server: RedisServer; line: RedisLine };
  close(): Promise<void>;
};

/** Every try of anything comes again within a minute; approvals expire after hours. */
const SOON_MS = 5 * 60_000;
const TABLES = ['requests', 'workspace_notifications'] as const;

export function openSqlite(folder: string): ChaosStorage {
  const path = join(folder, 'bot.db');
  return {
    env: { STORAGE_URL: `sqlite:${path}` },
    owed: async () => {
      const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
      try {
        const counts = TABLES.map((table) => countDue(database, table));
        return counts.reduce((sum, count) => sum + count, 0);
      } finally {
        database.close();
      }
    },
    close: async () => {},
  };
}

function countDue(database: DatabaseSync, table: string): number {
  const found = database.prepare(`SELECT COUNT(*) AS count FROM ${table} WHERE due_at < ?`);
  return Number(found.get(Date.now() + SOON_MS)?.['count']);
}

const PREFIX = 'countermand';

/** Each write is on the disk before it is answered, so that a Redis that is killed has lost nothing it had promised. */
export async function openRedis(): Promise<ChaosStorage> {
  const server = await startRedisServer(['--appendfsync', 'always']);
  const { port } = new URL(server.url);
  const line = await layRedisLine(Number(port));
  return {
    env: {
      STORAGE_URL: `redis://127.0.0.1:${line.port}?prefix=${PREFIX}`,
      SECRET_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
    },
    redis: { server, line },
    owed: () => dueInRedis(server.url),
    close: async () => {
      await line.close();
      await server.stop();
    },
  };
}

async function dueInRedis(url: string): Promise<number> {
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  try {
    const until = Date.now() + SOON_MS;
    const counts = TABLES.map((name) => client.zCount(recordKeys(PREFIX, name).due, '-inf', until));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  } finally {
    client.destroy();
  }
}
