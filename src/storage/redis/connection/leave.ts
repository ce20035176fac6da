/**
 * Leaves connections that are open and of no use: node-redis makes another one only after it was closed, or was without traffic.
 */
import type { RedisClientType } from '@keyv/redis';
import { onRefusal } from './refusals.ts';

/**
 * Connects anew when the pings of a client (`pingInterval`) have had no answer for so long. Its `socketTimeout` alone does not
 * notice a dead way to the server while commands are sent: Node counts as traffic also what is written
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

/** How a replica refuses writes, and one without its primary all that it is asked. */
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

/** The commands under way fail. */
function connectAnew(client: RedisClientType): void {
  // It does so already.
  if (!client.isReady) return;
  client.destroy();
  // Its failures are error events.
  client.connect().catch(() => {});
}
