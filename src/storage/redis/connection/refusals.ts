/** Acts when Redis refuses a command, before the caller learns of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClientType } from '@keyv/redis';

/** Error replies of Redis begin with a word in capitals. NOSCRIPT is left out: the script is sent again at once, as text. */
const IS_REFUSAL = /^(?!NOSCRIPT )[A-Z]+ /;

/**
 * @param again wraps a duplicate of the client in the same way
 * @param act runs at each refusal; the caller gets the error once it has ended
 */
export function onRefusal(
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
