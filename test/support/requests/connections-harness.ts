/** Connections over real storage, for tests of what admins do with them. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { type Replicated, SILENT, unreplicated } from '../../../src/outbox/ports.ts';
import { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import type { Revocation, TokenCheck } from '../../../src/requests/ports/ports.ts';
import { createRecordAct } from '../../../src/requests/store/audit-trail.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { openSqliteKeyv } from '../../../src/storage/sqlite/open.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import { type Connecting, connect } from '../../../src/workspaces/connection/connect.ts';
import { Connection } from '../../../src/workspaces/connection/connection.ts';
import { createConnectionHealth, createConnections } from '../../../src/workspaces/connection/connections.ts';
import { createTokenPauses } from '../../../src/workspaces/connection/token-pauses.ts';
import { TokenRecord } from '../../../src/workspaces/connection/token-record.ts';
import { createSettingsStore } from '../../../src/workspaces/settings.ts';
import { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import { trailOf } from '../storage/audit-trail.ts';
import { sqliteStore } from '../storage/stores.ts';

export const connecting: Connecting = {
  workspace: 'T1',
  token: 'token-4711',
  tokenKind: 'rest',
  exclusive: false,
  newSecret: false,
  by: 'U1',
};

const secretKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });

/** @param check what the service says about every token */
export function createConnectionsHarness(check: TokenCheck = { type: 'accepted' }) {
  const { database, store } = sqliteStore();
  const keyv = (namespace: string) => openSqliteKeyv(database, namespace);
  const [former, next] = [secretKey('k'), secretKey('new')];
  /** `ahead`: by how much the clock is wrong. */
  const clock = { now: 7, ahead: 0 };
  const review = { pending: false };
  const now = () => clock.now + clock.ahead;
  const records = createSqliteRecordStore(database, 'connections', Connection, now);
  const holders = createSqliteRecordStore(database, 'tokens', TokenRecord, now);
  const auditEntries = createSqliteRecordStore(database, 'audit_entries', AuditEntry, now);
  const values = keyv('tokens');
  const storage = { replicated: unreplicated };
  const replicated: Replicated = (work) => storage.replicated(work);
  const open = (...keys: Parameters<typeof createCipher>[0]) =>
    createConnections({
      ...RUNTIME,
      records,
      holders,
      tokens: values,
      cipher: createCipher(keys),
      now,
      replicated,
    });
  const connections = open(former);
  const settings = createSettingsStore(createSqliteRecordStore(database, 'settings', SettingsRecord));
  const observed = { call: keyv('last_calls'), event: keyv('last_events') };
  const tokenPauses = createTokenPauses(connections);
  const connectionHealth = createConnectionHealth(observed, { now, monotonic: () => clock.now });
  const log = SILENT;
  const deps = {
    connections,
    settings,
    connectionHealth,
    revoke: async (): Promise<Revocation> => ({ type: 'revoked' }),
    checkToken: async () => check,
    owesOutcome: async (_workspace: string) => review.pending,
    replicated,
    publicUrl: new URL('https://bot.example/base/'),
    log,
    recordAct: createRecordAct({ auditEntries, uuid: RUNTIME.uuid, log }),
    ...RUNTIME,
    now,
  };
  const rows = () =>
    JSON.stringify(
      ['keyv', 'connections', 'tokens'].flatMap((table) => database.prepare(`SELECT * FROM ${table}`).all()),
    );
  return {
    store,
    database,
    records,
    holders,
    values,
    deps,
    connections,
    /** The same connections at a process whose first key is a new one. */
    withNewKey: () => open(next, former),
    settings,
    connectionHealth,
    tokenPauses,
    observed,
    rows,
    /** Lets `act` happen as soon as the next token is read from the storage, and before it is found. */
    beforeNextToken(act: () => Promise<unknown>) {
      const { get } = values;
      values.get = async (...given: unknown[]) => {
        values.get = get;
        await act();
        return Reflect.apply(get, values, given);
      };
    },
    /**
     * Lets no write count as replicated from now on, as if another server took over before it has the write.
     *
     * @returns a function that ends this
     */
    failOver() {
      storage.replicated = async (work) => {
        await work();
        throw new StorageUnavailableError();
      };
      return () => {
        storage.replicated = unreplicated;
      };
    },
    /** The acts in the audit trail of a workspace, each with its result, sorted. */
    async acts(workspace = 'T1') {
      const trail = await trailOf({ auditEntries }, workspace);
      return trail.map(({ act, result }) => (result ? `${act}: ${result}` : act)).toSorted();
    },
    trail: (workspace = 'T1') => trailOf({ auditEntries }, workspace),
    clock,
    review,
  };
}

export async function connected(deps: Parameters<typeof connect>[0], more: Partial<Connecting> = {}) {
  const result = await connect(deps, { ...connecting, ...more });
  if (result.type !== 'connected') throw new Error(result.type);
  return result;
}

/** Matches the id of a workspace in `rows`, but not the same letters within a random text. */
export const naming = (workspace: string) => new RegExp(`[":]${workspace}\\\\?"`);
