/** Leaves connections that are open and lead nowhere: node-redis does so only when they are closed or without traffic. */
import type { RedisClientType } from '@keyv/redis';

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

/** The commands under way fail. */
function connectAnew(client: RedisClientType): void {
  // It does so already.
  if (!client.isReady) return;
  client.destroy();
  // Its failures are error events.
  client.connect().catch(() => {});
}
