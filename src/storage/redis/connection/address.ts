/** Where Redis is, as STORAGE_URL says it. */

export type RedisAddress = {
  /** With user, password and database number; rediss: is TLS. Behind sentinels its host means nothing. */
  url: string;
  /** Of every key, so that others may use the same server. */
  prefix: string;
  sentinels?: Sentinels;
};

/** Those who know which server takes the writes. */
export type Sentinels = {
  /** The address of each, with the user and the password that they want. */
  urls: string[];
  /** What they call the servers that they watch over. */
  master: string;
};

/** Some sentinels, the name of the master and the database number, in the order that other clients use. */
const SENTINEL =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?<user>[^/@]*@)?(?<nodes>[^/@?#]+)\/(?<master>[\w.-]+)(?<rest>[/?].*)?$/;
const SENTINEL_PORT = '26379';

/** @returns undefined where the text is no such address */
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
