/** Reads everything that a storage holds, as from a stolen copy: a line for each value, with its key in front. */
import { DatabaseSync } from 'node:sqlite';
import type { RedisClientType } from '@keyv/redis';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import type { StorageAddress } from '../../../src/storage/storage-address.ts';

export async function readRaw(address: StorageAddress): Promise<string[]> {
  const lines = address.type === 'sqlite' ? readTables(address.path) : await readKeys(address);
  return lines.sort();
}

function readTables(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM ${String(name)}`)
        .all()
        .map((row) => `${String(name)} ${JSON.stringify(row)}`),
    );
  } finally {
    database.close();
  }
}

async function readKeys({ url, prefix }: Extract<StorageAddress, { type: 'redis' }>): Promise<string[]> {
  const client = createRedisClient({ url });
  await client.connect();
  const lines: string[] = [];
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
    const found = await Promise.all(keys.map((key) => valuesOf(client, key)));
    for (const [i, values] of found.entries())
      lines.push(...values.map((value) => `${keys[i]} ${JSON.stringify(value)}`));
  }
  client.destroy();
  return lines;
}

async function valuesOf(client: RedisClientType, key: string): Promise<unknown[]> {
  const type = await client.type(key);
  switch (type) {
    case 'string':
      return [await client.get(key)];
    case 'hash':
      return Object.entries(await client.hGetAll(key));
    case 'zset':
      return client.zRangeWithScores(key, 0, -1);
    case 'set':
      return client.sMembers(key);
    case 'list':
      return client.lRange(key, 0, -1);
    case 'stream':
      return client.xRange(key, '-', '+');
    // Removed since it was listed.
    case 'none':
      return [];
    default:
      throw new Error(`a test can't read a ${type}`);
  }
}
