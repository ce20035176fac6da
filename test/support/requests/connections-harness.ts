/** Connections over real storage, for tests of what admins do with them. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type { Revocation, TokenCheck } from '../../../src/requests/ports/ports.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createLocks } from '../../../src/storage/locks.ts';
import { openSqliteKeyv } from '../../../src/storage/sqlite/keyv-store.ts';
import { createSqliteLockTable } from '../../../src/storage/sqlite/locks.ts';
import { createSqliteMemberIndex } from '../../../src/storage/sqlite/member-index.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import { type Connecting, connect } from '../../../src/workspaces/connection/connect.ts';
import { createConnectionHealth } from '../../../src/workspaces/connection/connection-health.ts';
import { createConnections } from '../../../src/workspaces/connection/connections.ts';
import { createTokenPauses } from '../../../src/workspaces/connection/token-pauses.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import { unrecorded } from '../storage/audit-trail.ts';
import { sqliteStore } from '../storage/stores.ts';

export const connecting: Connecting = {
  workspace: 'T1',
  token: 'token-4711',
  tokenKind: 'rest',
  exclusive: false,
  newSecret: false,
  by: 'U1',
};

/** @param check what the service says about every token */
export function createConnectionsHarness(check: TokenCheck = { type: 'accepted' }) {
  const { database, store } = sqliteStore();
  const keyv = (namespace: string) => openSqliteKeyv(database, namespace);
  const cipher = createCipher([{ id: 'k', key: createSecretKey(randomBytes(32)) }]);
  const clock = { now: 7 };
  const review = { pending: false };
  const locks = createLocks(createSqliteLockTable(database));
  const values = keyv('connections');
  const index = createSqliteMemberIndex(database, 'connections');
  const connections = createConnections({ values, index }, { cipher, locks, now: () => clock.now });
  const settings = createSettingsStore(createSqliteRecordStore(database, 'settings', SettingsRecord));
  const observed = { call: keyv('last_calls'), event: keyv('last_events') };
  const pauses = { values: keyv('token_pauses'), index: createSqliteMemberIndex(database, 'token_pauses') };
  const tokenPauses = createTokenPauses(pauses, { locks, now: () => clock.now });
  const connectionHealth = createConnectionHealth(observed, () => clock.now);
  const deps = {
    connections,
    settings,
    connectionHealth,
    tokenPauses,
    revoke: async (): Promise<Revocation> => ({ type: 'revoked' }),
    checkToken: async () => check,
    hasPending: async (_workspace: string) => review.pending,
    publicUrl: new URL('https://bot.example/base/'),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    recordAct: unrecorded,
    ...RUNTIME,
    now: () => clock.now,
  };
  const rows = () => JSON.stringify(database.prepare('SELECT * FROM keyv').all());
  const listed = () => database.prepare('SELECT key, member FROM members').all();
  return {
    store,
    values,
    index,
    listed,
    deps,
    connections,
    settings,
    connectionHealth,
    tokenPauses,
    observed,
    rows,
    clock,
    review,
  };
}

export async function connected(deps: Parameters<typeof connect>[0], more: Partial<Connecting> = {}) {
  const result = await connect(deps, { ...connecting, ...more });
  if (result.type !== 'connected') throw new Error(result.type);
  return result;
}
