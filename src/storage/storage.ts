/** The storage that STORAGE_URL names: one port, over SQLite (sqlite/open.ts) and Redis (redis/open.ts). */
import type Keyv from 'keyv';
import type { TaskRecord } from '../jobs/scheduled-task.ts';
import type { Log, RateLimiter, Replicated } from '../outbox/ports.ts';
import type { RecordStore } from '../outbox/record-store.ts';
import type { AuditStore, NoticeStore, RecentRequestsStore, RequestStore } from '../requests/ports/ports.ts';
import type { Connection } from '../workspaces/connection/connection.ts';
import type { TokenRecord } from '../workspaces/connection/token/token-record.ts';
import type { UnsignedEventsRecord } from '../workspaces/events/unsigned-events.ts';
import type { InstallationRecord } from '../workspaces/installation/installation-record.ts';
import type { MembershipRecord } from '../workspaces/installation/organizations.ts';
import type { UninstallStore } from '../workspaces/installation/uninstall-record.ts';
import type { SettingsRecord } from '../workspaces/settings-record.ts';
import type { UsedName } from '../workspaces/single-use.ts';
import type { StorageVersion } from './storage-version.ts';

export type Storage = {
  requests: RequestStore;
  notices: NoticeStore;
  uninstalls: UninstallStore;
  settings: RecordStore<SettingsRecord>;
  unsignedEvents: RecordStore<UnsignedEventsRecord>;
  recentRequests: RecentRequestsStore;
  connections: RecordStore<Connection>;
  tokens: RecordStore<TokenRecord>;
  auditEntries: AuditStore;
  installations: RecordStore<InstallationRecord>;
  organizations: RecordStore<MembershipRecord>;
  usedStates: RecordStore<UsedName>;
  tasks: RecordStore<TaskRecord>;
  /** Names the versions of Countermand that can work on the storage. */
  version: StorageVersion;
  replicated: Replicated;
  limiter: RateLimiter;
  /** A keyv of its own for each kind of thing. A storage that is away throws: it never looks like an empty one. */
  keyv(namespace: string): Keyv;
  /**
   * Must be called before the storage is used.
   *
   * @throws StorageAwayError where it is away, and can be opened later; another error where it must not be trusted: each
   *   in one sentence
   */
  open(log: Log): Promise<void>;
  /**
   * For a bot, which terminal commands may work beside.
   *
   * @throws in one sentence, where it has to be the only one and is not
   */
  claim(): void;
  /** @throws where the storage can't be written */
  ping(): Promise<void>;
  /**
   * Sees to it that nothing that was removed, or has expired, can be read any more where it was stored.
   *
   * @throws where that was not possible: it has to be done again
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
};
