/** The bot's storage in end-to-end tests, chosen by TEST_STORAGE (vitest.config.ts). */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { emptyRedis, type RedisAddress } from '../redis/redis.ts';
import { temporaryFolder } from '../storage/stores.ts';

export const STORAGE = readStorage(process.env['TEST_STORAGE']);

function readStorage(given = 'sqlite'): 'sqlite' | 'redis' {
  if (given === 'sqlite' || given === 'redis') return given;
  throw new Error(`TEST_STORAGE must be sqlite or redis, not ${given}.`);
}

/** The environment of a bot whose storage is empty. */
export async function storageEnvironment(): Promise<Record<string, string>> {
  if (STORAGE === 'redis') return redisEnvironment(await emptyRedis());
  return { STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` };
}

export function redisEnvironment({ url, prefix }: RedisAddress): Record<string, string> {
  return {
    STORAGE_URL: `${url}?prefix=${prefix}`,
    SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  };
}
