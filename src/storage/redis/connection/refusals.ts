/**
 * Acts when Redis refuses a command, before the caller learns of it, or falls silent. Connections that are open and of no use are
 * left: node-redis makes another one only if the connection was closed, or had no traffic.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClientType } from '@keyv/redis';

/** Error replies of Redis begin with a word in capitals. NOSCRIPT is left out: the script is sent again at once, as text. */
const IS_REFUSAL = /^(?!NOSCRIPT )[A-Z]+ /;

/**
 * @param again wraps a duplicate of the client in the same way
 * @param act runs at each refusal; the caller gets the error once it has ended
 */
function onRefusal(
  client: RedisClientType,
  again: (duplicate: RedisClientType) => RedisClientType,
  act: (error: Error) => Promise<void> | void,
): RedisClientType {
  const sendCommand = client.sendCommand.bind(client);
  // All commands of a client pass here, except transactions.
  client.sendCommand = <T>(...command: Parameters<typeof sendCommand>) =>
    sendCommand<T>(...command).catch(async (error) => {
      if (IS_REFUSAL.test(error.message)) await act(error);
      throw error;
    });
  const duplicate = client.duplicate.bind(client) as (...options: unknown[]) => RedisClientType;
  const duplicated = (...options: unknown[]) => again(duplicate(...options));
  client.duplicate = duplicated as typeof client.duplicate;
  return client;
}

const REFUSED_AFTER_MS = 500;

/** Delays refusals: a worker of BullMQ repeats a refused command without a pause, tens of thousands of times a second. */
export const delayRefusals = (client: RedisClientType): RedisClientType =>
  onRefusal(client, delayRefusals, () => sleep(REFUSED_AFTER_MS));

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
