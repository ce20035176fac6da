/** Reads the address of Redis in STORAGE_URL: of a server, or of the sentinels that name it. */
import { decoded } from '../json.ts';

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
  /** The address of each sentinel, with its user and password. */
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

function readSentinel(text: string, login: URLSearchParams | undefined): string | undefined {
  const url = URL.parse(text);
  if (!url?.hostname || url.pathname) return undefined;
  url.port ||= SENTINEL_PORT;
  url.username = login?.get('sentinelUsername') ?? '';
  url.password = login?.get('sentinelPassword') ?? '';
  return url.href;
}

function readServer(url: URL | null): RedisAddress | undefined {
  if (!url?.hostname || !/^\/?\d*$/.test(url.pathname) || url.hash) return undefined;
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) return undefined;
  const { prefix = 'countermand', ...more } = Object.fromEntries(url.searchParams);
  if (!/^[\w.:-]{1,64}$/.test(prefix) || Object.keys(more).length > 0) return undefined;
  url.search = '';
  return { url: url.href, prefix };
}

/** @returns the passwords in an address of Redis, valid or not: as written, as the URL class writes them, and decoded */
export function redisPasswords(text: string): string[] {
  const [, ofServer = ''] = /^redis[^/]*:\/\/[^/?#:]*:([^/?#]*)@/.exec(text) ?? [];
  const [, ofSentinels = ''] = /[?&]sentinelPassword=([^&#]*)/.exec(text) ?? [];
  const written = [ofServer, ofSentinels, URL.parse(text)?.password ?? ''];
  return [...written, ...written.flatMap((each) => decoded(each) ?? [])];
}
