/** Parses the address of the storage from STORAGE_URL. */
export type StorageAddress = { type: 'sqlite'; path: string } | ({ type: 'redis' } & RedisAddress);

export type RedisAddress = {
  /** With user, password and database number; rediss: is TLS. Its host is meaningless with sentinels. */
  url: string;
  /** The prefix of every key, so that other programs can use the same server. */
  prefix: string;
  sentinels?: Sentinels;
};

/** The sentinels that know which server takes writes. */
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
  const { prefix = 'countermand', ...more } = Object.fromEntries(url.searchParams);
  if (!/^[\w.:-]{1,64}$/.test(prefix) || Object.keys(more).length > 0) return undefined;
  url.search = '';
  return { url: url.href, prefix };
}

function readSentinel(text: string, login: URLSearchParams | undefined): string | undefined {
  const url = URL.parse(text);
  if (!url?.hostname || url.pathname) return undefined;
  url.port ||= SENTINEL_PORT;
  url.username = login?.get('sentinelUsername') ?? '';
  url.password = login?.get('sentinelPassword') ?? '';
  return url.href;
}
