/**
 * Leaves connections that are open and of no use: node-redis makes another one only if the connection was closed, or had no
 * traffic.
 */
import type { RedisClientType } from '@keyv/redis';
import { onRefusal } from './refusals.ts';

/**
 * Connects anew when the pings of a client (`pingInterval`) have had no answer for `silenceMs`. `socketTimeout` alone does not
 * notice that the server can't be reached while commands are sent, because Node also counts what is written as traffic
 * (https://nodejs.org/api/net.html#socketsettimeouttimeout-callback).
 */
export function leaveSilent(client: RedisClientType, silenceMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    timer = setTimeout(() => connectAnew(client), silenceMs);
  };
  client.on('ready', start).on('ping-interval', start).on('reconnecting', stop).on('end', stop);
}

/** The errors with which a replica refuses writes or, if it has lost its primary, every command. */
const IS_REPLICA = /^(READONLY|MASTERDOWN) /;
const LEFT_AT_MOST_EVERY_MS = 1_000;

/**
 * Connects a client anew when the server has become a replica: after a failover the same address leads to another server, and
 * connections to the former primary may stay open.
 */
export function leaveReplicas(client: RedisClientType): RedisClientType {
  let leftAt = Number.NEGATIVE_INFINITY;
  return onRefusal(client, leaveReplicas, ({ message }) => {
    if (!IS_REPLICA.test(message) || performance.now() - leftAt < LEFT_AT_MOST_EVERY_MS) return;
    leftAt = performance.now();
    connectAnew(client);
  });
}

/** Connects a client anew. The commands under way fail. */
function connectAnew(client: RedisClientType): void {
  // The client is connecting already.
  if (!client.isReady) return;
  client.destroy();
  // The client reports a failure as an 'error' event.
  client.connect().catch(() => {});
}
