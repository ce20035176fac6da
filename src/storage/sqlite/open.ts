/** Opens the storage in a SQLite file. */
import { TaskRecord } from '../../jobs/scheduled-task.ts';
import { unreplicated } from '../../outbox/replicated.ts';
import { AuditEntry } from '../../requests/model/audit/audit-entry.ts';
import { Notice } from '../../requests/model/notices/notice.ts';
import { RecentRequests } from '../../requests/model/recent-requests.ts';
import { RequestRecord } from '../../requests/model/record.ts';
import { Connection } from '../../workspaces/connection/connection.ts';
import { TokenRecord } from '../../workspaces/connection/token/token-record.ts';
import { UnsignedEventsRecord } from '../../workspaces/events/unsigned-events.ts';
import { InstallationRecord } from '../../workspaces/installation/installation-record.ts';
import { MembershipRecord } from '../../workspaces/installation/organizations.ts';
import { UninstallRecord } from '../../workspaces/installation/uninstall-record.ts';
import { SettingsRecord } from '../../workspaces/settings-record.ts';
import { UsedName } from '../../workspaces/single-use.ts';
import { createRateLimiter } from '../rate-limiter.ts';
import type { Storage } from '../storage.ts';
import { createStorageVersion } from '../storage-version.ts';
import { openDatabase, versionOf } from './database.ts';
import { openSqliteKeyv } from './keyv-store.ts';
import { createSqliteRecordStore } from './record-store.ts';
import { scrub } from './scrub.ts';
import { claimDatabase } from './sole-bot.ts';

export type SqliteStorage = Storage & {
  /** Whether something in it was sealed: then the key that did it must not be replaced. */
  holdsSecrets(): boolean;
};

/** @param path of the SQLite file */
export function openSqliteStorage(path: string): SqliteStorage {
  const database = openDatabase(path);
  const ping = database.prepare(
    `INSERT INTO keyv (key, value, expires_at) VALUES ('ping', '', ?)
     ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at`,
  );
  let release: (() => void) | undefined;
  return {
    requests: createSqliteRecordStore(database, 'requests', RequestRecord),
    notices: createSqliteRecordStore(database, 'notices', Notice),
    uninstalls: createSqliteRecordStore(database, 'uninstalls', UninstallRecord),
    settings: createSqliteRecordStore(database, 'settings', SettingsRecord),
    unsignedEvents: createSqliteRecordStore(database, 'unsigned_events', UnsignedEventsRecord),
    recentRequests: createSqliteRecordStore(database, 'recent_requests', RecentRequests),
    connections: createSqliteRecordStore(database, 'connections', Connection),
    tokens: createSqliteRecordStore(database, 'tokens', TokenRecord),
    auditEntries: createSqliteRecordStore(database, 'audit_entries', AuditEntry),
    installations: createSqliteRecordStore(database, 'installations', InstallationRecord),
    organizations: createSqliteRecordStore(database, 'organizations', MembershipRecord),
    usedStates: createSqliteRecordStore(database, 'used_states', UsedName),
    tasks: createSqliteRecordStore(database, 'tasks', TaskRecord),
    replicated: unreplicated,
    limiter: createRateLimiter(),
    keyv: (namespace) => openSqliteKeyv(database, namespace),
    holdsSecrets: () =>
      [
        'SELECT 1 FROM connections LIMIT 1',
        'SELECT 1 FROM tokens LIMIT 1',
        'SELECT 1 FROM installations LIMIT 1',
      ].some((sql) => database.prepare(sql).get() !== undefined),
    version: createStorageVersion(
      path,
      async () => versionOf(database),
      async (oldest) => database.exec(`PRAGMA user_version = ${oldest}`),
    ),
    open: async () => {},
    claim() {
      if (path !== ':memory:') release ??= claimDatabase(path);
    },
    // Writes, because a full disk can still be read. Keys of keyv have a namespace, so none is in the way.
    ping: () => database.write(() => void ping.run(Date.now())),
    scrub: () => scrub(database),
    async close() {
      database.close();
      release?.();
    },
  };
}
