/** The storage and the keys with which the fixtures of stored data are made and read. */
import { type Config, readConfig } from '../../src/config.ts';
import type { RecordStore, RecordTypeName, Stored } from '../../src/outbox/record-store.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** The key of the simulation, whose records the fixtures hold (test/simulate/replica.ts). */
const KEY = `one:${Buffer.alloc(32, 1).toString('base64')}`;

/** @param storage STORAGE_URL @param service the address of the order service */
export const configOf = (storage: string, service = 'http://127.0.0.1:1'): Config =>
  readConfig(
    {
      PUBLIC_URL: 'https://bot.example',
      SLACK_SIGNING_SECRET: 'secret',
      SLACK_BOT_TOKEN: 'xoxb-1',
      ORDER_SERVICE_URL: service,
      STORAGE_URL: storage,
      SECRET_KEYS: KEY,
    },
    false,
  );

const STORES = {
  requests: 'requests',
  notices: 'notices',
  uninstalls: 'uninstalls',
  settings: 'settings',
  unsigned_events: 'unsignedEvents',
  recent_requests: 'recentRequests',
  connections: 'connections',
  tokens: 'tokens',
  audit_entries: 'auditEntries',
  installations: 'installations',
  organizations: 'organizations',
  used_states: 'usedStates',
  tasks: 'tasks',
} as const satisfies Record<RecordTypeName, keyof Storage>;

/** The store of a type, for any of its records. */
export const storeOf = (storage: Storage, type: RecordTypeName) =>
  storage[STORES[type]] as unknown as RecordStore<Stored>;
