/** Redis for tests: that of REDIS_URL, else one of our own for the test file; in each test a prefix of its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, onTestFinished } from 'vitest';
import { createRedisClient, type RedisLimits } from '../../../src/storage/redis/connection/connection.ts';
import type { StorageAddress } from '../../../src/storage/storage-address.ts';
import { needs } from '../needs.ts';
import { findRedisServer, type RedisServer, startRedisServer } from './redis-server.ts';

export type RedisAddress = Extract<StorageAddress, { type: 'redis' }>;

/** Short time-outs for Redis, which are still longer than a busy machine takes to answer. */
export const SOON: RedisLimits = { connect: 2_000, answer: 800, silence: 1_500, ping: 300 };

const GIVEN = process.env['REDIS_URL'];

/** @param own whether REDIS_URL is not enough, because the server will be killed */
export function needsRedis(own = false): void {
  const isFound = findRedisServer() !== undefined || (!own && Boolean(GIVEN));
  needs(isFound, own ? 'redis-server or valkey-server on PATH' : 'REDIS_URL, redis-server or valkey-server');
  afterAll(async () => {
    await (await shared)?.stop();
    shared = undefined;
  });
}

let shared: Promise<RedisServer> | undefined;

function sharedUrl(): Promise<string> | string {
  if (GIVEN) return GIVEN;
  shared ??= startRedisServer();
  return shared.then(({ url }) => url);
}

/** Returns an empty keyspace of the shared Redis. */
export async function emptyRedis(): Promise<RedisAddress> {
  const url = await sharedUrl();
  const prefix = `countermand-test:${randomUUID()}`;
  // A server of our own ends with the test file.
  if (GIVEN) onTestFinished(() => removeAll(url, prefix));
  return { type: 'redis', url, prefix };
}

async function removeAll(url: string, prefix: string): Promise<void> {
  const client = createRedisClient({ url });
  await client.connect();
  for await (const keys of client.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1_000 })) {
    if (keys.length > 0) await client.unlink(keys);
  }
  client.destroy();
}
