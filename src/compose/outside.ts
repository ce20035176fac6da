/**
 * Opens the outside world of the bot: time, storage and networks. The simulation (test/simulate) provides another one.
 */
import { type Config, parseKeyFile } from '../config.ts';
import type { Queues } from '../jobs/queue.ts';
import { createTransport, type Transport } from '../order-service/transport/transport.ts';
import type { AuditStream, Runtime } from '../requests/ports/ports.ts';
import { RUNTIME } from '../runtime.ts';
import type { SlackNetwork } from '../slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../slack/client/slack-fetch.ts';
import { createAuditStream } from '../storage/audit-stream.ts';
import { keyFilePath, readOrCreateKeyFile } from '../storage/key-file.ts';
import type { Storage } from '../storage/storage.ts';
import type { RedisAddress, StorageAddress } from '../storage/storage-address.ts';
import type { SecretKey } from '../workspaces/cipher.ts';

export type Keys = [SecretKey, ...SecretKey[]];

type OpenedStorage = {
  storage: Storage;
  /** The queues between several replicas, if the storage allows several. */
  queues: Queues | undefined;
  keys: Keys;
};

export type Outside = {
  runtime: Runtime;
  /** @throws if the storage can't be opened, or its keys are missing */
  openStorage(config: Config): OpenedStorage;
  connectSlack(): SlackNetwork & { close(): Promise<void> };
  connectOrderService(origin: string): Transport;
  /** @param target AUDIT_FILE */
  openAuditStream(target: string): AuditStream;
  /** Counts a refused request. @param from the presumed sender @param reason one word */
  countRefused(from: 'slack' | 'order_service', reason: string): void;
};

/** Provides the world of this machine. Loads the storage that is used, and not the other one. */
export async function loadOutside({ storage }: Pick<Config, 'storage'>): Promise<Outside> {
  return {
    runtime: RUNTIME,
    openStorage: storage.type === 'redis' ? await loadRedis(storage) : await loadSqlite(storage),
    connectSlack() {
      const agent = createSlackAgent();
      return { send: sendOver(agent), close: () => agent.destroy() };
    },
    connectOrderService: createTransport,
    openAuditStream: createAuditStream,
    countRefused() {},
  };
}

async function loadRedis(address: RedisAddress): Promise<Outside['openStorage']> {
  const { openRedisStorage } = await import('../storage/redis/open.ts');
  const { openQueues } = await import('../jobs/queue.ts');
  return ({ secretKeys }) => {
    if (!secretKeys) throw new Error('SECRET_KEYS is missing. Redis needs it.');
    const storage = openRedisStorage(address);
    const { client, prefix } = storage.queue;
    return { storage, queues: openQueues(client, prefix), keys: secretKeys };
  };
}

type SqliteAddress = Extract<StorageAddress, { type: 'sqlite' }>;

/** Without SECRET_KEYS, a file beside the database holds the key. A database that holds secrets never gets a new key. */
async function loadSqlite({ path }: SqliteAddress): Promise<Outside['openStorage']> {
  const { openSqliteStorage } = await import('../storage/sqlite/open.ts');
  return ({ secretKeys }) => {
    const storage = openSqliteStorage(path);
    const file = keyFilePath(path);
    const read = () => parseKeyFile(readOrCreateKeyFile(file, !storage.holdsSecrets()), file);
    return { storage, queues: undefined, keys: secretKeys ?? read() };
  };
}
