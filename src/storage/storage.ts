/**
 * The storage that STORAGE_URL names: its address, one port, over SQLite (sqlite/open.ts) and Redis (redis/open.ts), and how
 * one that is unavailable, and may come back, is told from one that is set up wrongly.
 */
import type Keyv from 'keyv';
import type { Log, RateLimiter, Replicated } from '../outbox/ports.ts';
import type { RecordStores } from './record-stores.ts';
import type { StorageVersion } from './storage-version.ts';

export type Storage = RecordStores & {
  /** Names the versions of Countermand that can work on the storage. */
  version: StorageVersion;
  replicated: Replicated;
  limiter: RateLimiter;
  /** A keyv of its own for each kind of thing. A storage that is unavailable throws: it never looks like an empty one. */
  keyv(namespace: string): Keyv;
  /**
   * Must be called before the storage is used.
   *
   * @throws in one sentence: StorageUnavailableError if it can be opened later, another error if it must not be trusted
   */
  open(log: Log): Promise<void>;
  /**
   * For a bot, which terminal commands may work beside.
   *
   * @throws in one sentence, where it has to be the only one and is not
   */
  claim(): void;
  /** @throws where the storage can't be written */
  ping(): Promise<void>;
  /**
   * Sees to it that nothing that was removed can be read any more where it was stored.
   *
   * @throws where that was not possible: it has to be done again
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
};

/** The address in STORAGE_URL. */
export type StorageAddress = { type: 'sqlite'; path: string } | ({ type: 'redis' } & RedisAddress);

export type RedisAddress = {
  /** With user, password and database number; rediss: is TLS. Its host is meaningless with sentinels. */
  url: string;
  /** The prefix of every key, so that other programs can use the same server. */
  prefix: string;
  sentinels?: Sentinels;
};

export type Sentinels = {
  /** The address of each, with its user and password. */
  urls: string[];
  /** The name of the monitored master. */
  master: string;
};

/** The sentinels, the name of the master and the database number, in the format of other clients. */
const SENTINEL =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?<user>[^/@]*@)?(?<nodes>[^/@?#]+)\/(?<master>[\w.-]+)(?<rest>[/?].*)?$/;
const SENTINEL_PORT = '26379';

/** @returns undefined if the text is no Redis address */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const { scheme, user = '', nodes = '', master = '', rest = '' } = SENTINEL.exec(text)?.groups ?? {};
  if (!scheme) return /^rediss?:\/\//.test(text) ? readServer(URL.parse(text)) : undefined;
  const url = URL.parse(`${scheme}://${user}master${rest}`);
  const urls = nodes.split(',').map((node) => readSentinel(`${scheme}://${node}`, url?.searchParams));
  url?.searchParams.delete('sentinelUsername');
  url?.searchParams.delete('sentinelPassword');
  const address = readServer(url);
  if (!address || !urls.every((read) => read !== undefined)) return undefined;
  return { ...address, sentinels: { urls, master } };
}

function readServer(url: URL | null): RedisAddress | undefined {
  if (!url?.hostname || !/^\/?\d*$/.test(url.pathname) || url.hash) return undefined;
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) return undefined;
  const { prefix = 'countermand', ...more } = Object.fromEntries(url.searchParams);
  if (!/^[\w.:-]{1,64}$/.test(prefix) || Object.keys(more).length > 0) return undefined;
  url.search = '';
  return { url: url.href, prefix };
}

/** @returns undefined for a percent sign that encodes nothing: one that means itself is %25 */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** @returns the passwords in an address of Redis, valid or not: as written, as the URL class writes them, and decoded */
export function redisPasswords(text: string): string[] {
  const [, ofServer = ''] = /^redis[^/]*:\/\/[^/?#:]*:([^/?#]*)@/.exec(text) ?? [];
  const [, ofSentinels = ''] = /[?&]sentinelPassword=([^&#]*)/.exec(text) ?? [];
  const written = [ofServer, ofSentinels, URL.parse(text)?.password ?? ''];
  return [...written, ...written.flatMap((each) => decoded(each) ?? [])];
}

function readSentinel(text: string, login: URLSearchParams | undefined): string | undefined {
  const url = URL.parse(text);
  if (!url?.hostname || url.pathname) return undefined;
  url.port ||= SENTINEL_PORT;
  url.username = login?.get('sentinelUsername') ?? '';
  url.password = login?.get('sentinelPassword') ?? '';
  return url.href;
}

/** The storage can't be reached at the moment. */
export class StorageUnavailableError extends Error {}

/** Codes of Node (https://nodejs.org/api/errors.html#common-system-errors) and of DNS: a name may be known later. */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** Errors of node-redis (@redis/client, lib/errors.js), and Redis while it reads its file. */
const UNAVAILABLE_ERRORS =
  /^(?:Connection timeout|Socket timeout|Socket closed unexpectedly|The client is closed|LOADING )/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return ('code' in error && UNAVAILABLE_CODES.has(error.code)) || UNAVAILABLE_ERRORS.test(error.message);
}

/** @returns whether the storage is open; false: it is unavailable @throws in one sentence, if it must not be used */
export async function tryToOpen(open: () => ReturnType<Storage['open']>): Promise<boolean> {
  try {
    await open();
    return true;
  } catch (error) {
    if (error instanceof StorageUnavailableError) return false;
    throw error;
  }
}
