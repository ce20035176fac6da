/** The storage in Redis, and a client of its own beside it. */
import { onTestFinished } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { createRedisClient } from '../../../src/storage/redis/connection/connection.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { emptyRedis, type RedisAddress } from './redis.ts';

export async function open(address?: RedisAddress) {
  const { url, prefix } = address ?? (await emptyRedis());
  const storage = openRedisStorage({ url, prefix });
  await storage.open(SILENT);
  onTestFinished(storage.close);
  return { ...storage, url, prefix };
}

/** As an operator sees it. */
export async function bareClient(url: string) {
  const client = createRedisClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}
