/** Holds the stored data of a play: it outlives the processes of the bot. */
import type { TaskRecord } from '../../../src/jobs/scheduled-task.ts';
import type { RateLimiter } from '../../../src/outbox/ports.ts';
import type { Entry, RecordTypeName, Stored as StoredRecord } from '../../../src/outbox/record-store.ts';
import type { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import type { Notice } from '../../../src/requests/model/notices/notice.ts';
import type { RecentRequests } from '../../../src/requests/model/recent.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import type { Connection } from '../../../src/workspaces/connection/connection.ts';
import type { TokenRecord } from '../../../src/workspaces/connection/token-record.ts';
import type { InstallationRecord } from '../../../src/workspaces/installation/installation-record.ts';
import type { MembershipRecord } from '../../../src/workspaces/installation/organizations.ts';
import type { UninstallRecord } from '../../../src/workspaces/installation/uninstall-record.ts';
import type { SettingsRecord } from '../../../src/workspaces/settings-record.ts';
import type { UsedName } from '../../../src/workspaces/single-use.ts';
import type { UnsignedEventsRecord } from '../../../src/workspaces/unsigned-events.ts';
import {
  createMemoryRecords,
  type MemoryRecords,
  type OtherTypes,
} from '../../support/storage/memory-records.ts';
import type { Cells } from './memory-keyv.ts';

/** The stored data that all replicas share. */
export type Stored = {
  requests: MemoryRecords<RequestRecord>;
  notices: MemoryRecords<Notice>;
  uninstalls: MemoryRecords<UninstallRecord>;
  settings: MemoryRecords<SettingsRecord>;
  unsignedEvents: MemoryRecords<UnsignedEventsRecord>;
  recentRequests: MemoryRecords<RecentRequests>;
  connections: MemoryRecords<Connection>;
  tokens: MemoryRecords<TokenRecord>;
  auditEntries: MemoryRecords<AuditEntry>;
  installations: MemoryRecords<InstallationRecord>;
  organizations: MemoryRecords<MembershipRecord>;
  usedStates: MemoryRecords<UsedName>;
  tasks: MemoryRecords<TaskRecord>;
  /** All of these records, for what concerns each type. */
  byType: Readonly<Record<RecordTypeName, Pick<MemoryRecords<StoredRecord>, 'entries'>>>;
  cells: Cells;
  limiter: RateLimiter;
  /** The workspaces of which the limiter knows something. */
  limited: Set<string>;
  now: () => number;
  /** @returns a function that restores all that is stored now, as after a failover or a failed commit */
  snapshot(): () => void;
};

/** `settings`: those that are stored at the moment of the write. */
type OnWrite = (
  entry: Entry<RequestRecord>,
  stored: { all: Iterable<Entry<RequestRecord>>; settings: Settings; isNew: boolean },
) => void;

/** Called with each entry that is written, of any type. */
export type OnEntry = (type: RecordTypeName, entry: Entry<StoredRecord>) => void;

/** Called with the requests that are stored again after a failover, or after a commit that failed. */
type OnRestored = (requests: Iterable<Entry<RequestRecord>>) => void;

/** @param now epoch milliseconds by the clock of the storage */
export function createStored(
  now: () => number,
  { onWrite, onRestored = () => {} }: { onWrite: OnWrite; onRestored?: OnRestored },
  onEntry: OnEntry = () => {},
): Stored {
  const of = <R extends StoredRecord>(type: RecordTypeName) => ({
    others,
    onWrite: (entry: Entry<R>) => onEntry(type, entry),
  });
  const others: OtherTypes = {
    versionOf: (type, ref) => byType[type].versionOf(ref),
    createBeside: ({ type, entry }) => byType[type].createBeside(entry),
  };
  const requests: Stored['requests'] = createMemoryRecords(now, {
    onWrite(entry, isNew) {
      onWrite(entry, { all: requests.entries(), settings: settingsOf(entry.record), isNew });
      onEntry('requests', entry);
    },
    others,
  });
  const notices: Stored['notices'] = createMemoryRecords(now, of('notices'));
  const uninstalls: Stored['uninstalls'] = createMemoryRecords(now, of('uninstalls'));
  const settings: Stored['settings'] = createMemoryRecords(now, of('settings'));
  const unsignedEvents: Stored['unsignedEvents'] = createMemoryRecords(now, of('unsigned_events'));
  const recentRequests: Stored['recentRequests'] = createMemoryRecords(now, of('recent_requests'));
  const connections: Stored['connections'] = createMemoryRecords(now, of('connections'));
  const tokens: Stored['tokens'] = createMemoryRecords(now, of('tokens'));
  const auditEntries: Stored['auditEntries'] = createMemoryRecords(now, of('audit_entries'));
  const installations: Stored['installations'] = createMemoryRecords(now, of('installations'));
  const organizations: Stored['organizations'] = createMemoryRecords(now, of('organizations'));
  const usedStates: Stored['usedStates'] = createMemoryRecords(now, of('used_states'));
  const tasks: Stored['tasks'] = createMemoryRecords(now, of('tasks'));
  const settingsOf = ({ workspace }: RequestRecord) =>
    [...settings.entries()].find(({ record }) => record.workspace === workspace)?.record.settings ?? {};
  const byType = {
    requests,
    notices: notices,
    uninstalls,
    settings,
    unsigned_events: unsignedEvents,
    recent_requests: recentRequests,
    connections,
    tokens,
    audit_entries: auditEntries,
    installations,
    organizations,
    used_states: usedStates,
    tasks,
  };
  const cells: Cells = new Map();
  return {
    requests,
    notices,
    uninstalls,
    settings,
    unsignedEvents,
    recentRequests,
    connections,
    tokens,
    auditEntries,
    installations,
    organizations,
    usedStates,
    tasks,
    byType,
    cells,
    ...observedLimiter(createRateLimiter(now)),
    now,
    snapshot() {
      const records = Object.values(byType).map((each) => each.snapshot());
      const keptCells = [...cells];
      return () => {
        for (const restore of records) restore();
        refill(cells, keptCells);
        onRestored(requests.entries());
      };
    },
  };
}

/** Notes the workspaces of which the limiter keeps something. */
function observedLimiter(inner: RateLimiter): Pick<Stored, 'limiter' | 'limited'> {
  const limited = new Set<string>();
  const limiter: RateLimiter = {
    ...inner,
    take(bucket, ...rest) {
      limited.add(bucket.workspace);
      return inner.take(bucket, ...rest);
    },
    pause(name, ...rest) {
      if (name.workspace !== undefined) limited.add(name.workspace);
      return inner.pause(name, ...rest);
    },
    forget(workspace) {
      limited.delete(workspace);
      return inner.forget(workspace);
    },
  };
  return { limiter, limited };
}

function refill<K, V>(map: Map<K, V>, entries: Iterable<readonly [K, V]>): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/**
 * Whether a record is due before a moment.
 *
 * @param moment epoch milliseconds
 * @param cutOff workspaces whose uninstalls alone count
 */
export function isDueBefore(
  { requests, notices, uninstalls }: Stored,
  moment: number,
  cutOff: readonly string[] = [],
): boolean {
  for (const records of [requests, notices, uninstalls])
    for (const { dueAt, record } of records.entries()) {
      const counts = records === uninstalls || !cutOff.includes(record.workspace);
      if (counts && dueAt !== undefined && dueAt < moment) return true;
    }
  return false;
}
