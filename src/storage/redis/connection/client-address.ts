/** Where a client of node-redis connects to, and as whom. */

export type ClientAddress = { url: string; socket: { path: string; tls: false } | object };

/** @param path of a socket of this machine, in place of the host; TLS is then whoever's who listens there */
export function addressOf(url: string, path?: string): ClientAddress {
  if (path === undefined) return { url, socket: {} };
  return { url: url.replace(/^rediss:/, 'redis:'), socket: { path, tls: false } };
}
