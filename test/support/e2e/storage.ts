/** The storage of a bot in end-to-end tests. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { emptyRedis, needsRedis, type RedisAddress } from '../redis/redis.ts';
import { temporaryFolder } from '../storage/stores.ts';

/** With Redis, BullMQ distributes the work, too. */
export const STORAGES = ['sqlite', 'redis'] as const;
export type StorageKind = (typeof STORAGES)[number];

/** Skips the tests of a suite if this machine lacks the storage. */
export function needsStorage(kind: StorageKind): void {
  if (kind === 'redis') needsRedis();
}

/** The environment of a bot whose storage is empty. */
export async function storageEnvironment(kind: StorageKind): Promise<Record<string, string>> {
  if (kind === 'redis') return redisEnvironment(await emptyRedis());
  return { STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` };
}

export function redisEnvironment({ url, prefix }: RedisAddress) {
  return {
    STORAGE_URL: `${url}?prefix=${prefix}`,
    SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  };
}
