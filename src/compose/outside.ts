/** The world outside as the bot meets it: time, storage and networks. The simulation (test/simulate) has another one. */
import { type Config, parseSecretKeys } from '../config.ts';
import type { SendHttp } from '../http/exchange.ts';
import { type QueueConnection, queueConnection } from '../jobs/jobs.ts';
import { createTransport, type Transport } from '../order-service/transport/transport.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { RUNTIME } from '../runtime.ts';
import { createSlackAgent, sendOver } from '../slack/client/slack-fetch.ts';
import { keyFilePath, readOrMakeKeyFile } from '../storage/key-file.ts';
import { openRedisStorage, openSqliteStorage, type Storage } from '../storage/open.ts';
import type { SecretKey } from '../workspaces/cipher.ts';

export type Keys = [SecretKey, ...SecretKey[]];

export type OpenedStorage = {
  storage: Storage;
  /** Where several replicas may work: what the queue between them needs. */
  queue: QueueConnection | undefined;
  keys: Keys;
};

export type Outside = {
  runtime: Runtime;
  /** @throws where the storage can't be opened, or its keys are missing */
  openStorage(config: Config): OpenedStorage;
  connectSlack(): { send: SendHttp; close(): Promise<void> };
  connectOrderService(origin: string): Transport;
};

export const OUTSIDE: Outside = {
  runtime: RUNTIME,
  openStorage,
  connectSlack() {
    const agent = createSlackAgent();
    return { send: sendOver(agent), close: () => agent.destroy() };
  },
  connectOrderService: createTransport,
};

/** Without SECRET_KEYS the key lies beside the database. A database that holds secrets never gets a new one. */
function openStorage({ storage: address, secretKeys }: Config): OpenedStorage {
  if (address.type === 'redis') {
    if (!secretKeys) throw new Error('With Redis, SECRET_KEYS is needed.');
    const storage = openRedisStorage(address);
    const { client, prefix } = storage.queue;
    return { storage, queue: queueConnection(client, prefix), keys: secretKeys };
  }
  const storage = openSqliteStorage(address.path);
  const file = keyFilePath(address.path);
  const read = () =>
    parseSecretKeys(readOrMakeKeyFile(file, !storage.holdsSecrets()), `The key file ${file}`);
  return { storage, queue: undefined, keys: secretKeys ?? read() };
}
