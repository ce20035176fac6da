/** The environment of a bot that is measured: installed by OAuth, so that each request reads a stored installation. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { Bench } from './bench.ts';

export const SIGNING_SECRET = randomBytes(16).toString('hex');

const SECRET_KEY = randomBytes(32).toString('base64');
const CLIENT_SECRET = randomBytes(16).toString('hex');
const STATE_SECRET = randomBytes(32).toString('hex');

/** An address at which nothing listens (the port of RFC 863), for services that must not be called. */
const NOWHERE = 'http://127.0.0.1:9';

export const onSqlite = (folder: string, name: string): string => `sqlite:${join(folder, `${name}.db`)}`;
export const onRedis = ({ url }: RedisServer, name: string): string => `${url}?prefix=${name}`;

/** Measures on SQLite, and then on Redis. `urlOf`: the storage of that name. */
export async function onBothStorages<T>(
  bench: Bench,
  measureOn: (storage: string, urlOf: (name: string) => string) => Promise<T[]>,
): Promise<T[]> {
  const redis = await bench.redis();
  return [
    ...(await measureOn('SQLite', (name) => onSqlite(bench.folder, name))),
    ...(await measureOn('Redis', (name) => onRedis(redis, name))),
  ];
}

/** The base URLs of the services that the bot calls. A service that is left out must not be called. */
export type Services = { slack?: string; orderService?: string; postsPerMinute?: number };

export function botEnvironment(
  storageUrl: string,
  port: number,
  { slack = `${NOWHERE}/api/`, orderService = NOWHERE, postsPerMinute = 60 }: Services = {},
): Record<string, string> {
  return {
    PORT: `${port}`,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_CLIENT_ID: '1.1',
    SLACK_CLIENT_SECRET: CLIENT_SECRET,
    SLACK_STATE_SECRET: STATE_SECRET,
    SLACK_API_URL: slack,
    SLACK_POSTS_PER_MINUTE: `${postsPerMinute}`,
    ORDER_SERVICE_URL: orderService,
    STORAGE_URL: storageUrl,
    SECRET_KEYS: `bench:${SECRET_KEY}`,
    LOG_FORMAT: 'json',
  };
}
