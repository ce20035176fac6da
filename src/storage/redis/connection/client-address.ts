/** Derives the address of a node-redis client. */

export type ClientAddress = { url: string; socket: { path: string; tls: false } | object };

/** @param path a local socket in place of the host; its listener is then responsible for TLS */
export function addressOf(url: string, path?: string): ClientAddress {
  if (path === undefined) return { url, socket: {} };
  return { url: url.replace(/^rediss:/, 'redis:'), socket: { path, tls: false } };
}
