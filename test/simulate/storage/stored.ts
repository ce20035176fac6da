/** Holds the stored data of a play: it outlives the processes of the bot. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { WorkspaceNotification } from '../../../src/requests/model/workspace-notification.ts';
import type { Settings } from '../../../src/requests/ports/ports.ts';
import type { RateLimiter } from '../../../src/requests/ports/rate-limiter.ts';
import type { Entry } from '../../../src/requests/ports/record-store.ts';
import type { LockTable } from '../../../src/storage/locks.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import type { UninstallRecord } from '../../../src/workspaces/installation/uninstall-record.ts';
import type { SettingsRecord } from '../../../src/workspaces/settings.ts';
import type { Members } from './memory-index.ts';
import type { Cells } from './memory-keyv.ts';
import { createMemoryLockTable } from './memory-locks.ts';
import { createMemoryRecords, type MemoryRecords, type VersionOf } from './memory-records.ts';

/** The stored data that all replicas share. */
export type Stored = {
  requests: MemoryRecords<RequestRecord>;
  workspaceNotifications: MemoryRecords<WorkspaceNotification>;
  uninstalls: MemoryRecords<UninstallRecord>;
  settings: MemoryRecords<SettingsRecord>;
  cells: Cells;
  /** By namespace. */
  members: Map<string, Members>;
  limiter: RateLimiter;
  locks: LockTable;
  now: () => number;
};

/** `settings`: those that are stored at the moment of the write. */
type OnWrite = (
  entry: Entry<RequestRecord>,
  stored: { all: Iterable<Entry<RequestRecord>>; settings: Settings },
) => void;

/** @param now epoch milliseconds by the clock of the storage */
export function createStored(now: () => number, onWrite: OnWrite): Stored {
  const versionOf: VersionOf = (type, ref) => byType[type].versionOf(ref);
  const requests: Stored['requests'] = createMemoryRecords(now, {
    onWrite: (entry) => onWrite(entry, { all: requests.entries(), settings: settingsOf(entry.record) }),
    versionOf,
  });
  const workspaceNotifications: Stored['workspaceNotifications'] = createMemoryRecords(now, { versionOf });
  const uninstalls: Stored['uninstalls'] = createMemoryRecords(now, { versionOf });
  const settings: Stored['settings'] = createMemoryRecords(now, { versionOf });
  const settingsOf = ({ workspace }: RequestRecord) =>
    [...settings.entries()].find(({ record }) => record.workspace === workspace)?.record.settings ?? {};
  const byType = { requests, workspace_notifications: workspaceNotifications, uninstalls, settings };
  return {
    requests,
    workspaceNotifications,
    uninstalls,
    settings,
    cells: new Map(),
    members: new Map(),
    limiter: createRateLimiter(now),
    locks: createMemoryLockTable(now),
    now,
  };
}

/** @param moment epoch milliseconds */
export function isDueBefore(
  { requests, workspaceNotifications, uninstalls }: Stored,
  moment: number,
): boolean {
  for (const records of [requests, workspaceNotifications, uninstalls])
    for (const { dueAt } of records.entries()) if (dueAt !== undefined && dueAt < moment) return true;
  return false;
}
