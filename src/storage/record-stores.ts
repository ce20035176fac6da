/** Lists the record stores of a storage: a store for each type of record, with the schema of that type. */
import type { z } from 'zod';
import { TaskRecord } from '../jobs/scheduled-task.ts';
import type { RecordStore, RecordTypeName, Stored } from '../outbox/record-store.ts';
import { AuditEntry } from '../requests/model/audit-entry.ts';
import { Notice } from '../requests/model/notices/notice.ts';
import { RecentRequests } from '../requests/model/recent-requests.ts';
import { RequestRecord } from '../requests/model/record.ts';
import { Connection } from '../workspaces/connection/connection.ts';
import { TokenRecord } from '../workspaces/connection/token/token-record.ts';
import { UnsignedEventsRecord } from '../workspaces/events/unsigned-events.ts';
import { InstallationRecord } from '../workspaces/installation/installation-record.ts';
import { MembershipRecord } from '../workspaces/installation/organizations.ts';
import { UninstallRecord } from '../workspaces/installation/uninstall-record.ts';
import { SettingsRecord } from '../workspaces/settings-record.ts';
import { UsedName } from '../workspaces/single-use.ts';

export type RecordStores = ReturnType<typeof openRecordStores>;

export function openRecordStores(
  open: <R extends Stored>(type: RecordTypeName, schema: z.ZodType<R>) => RecordStore<R>,
) {
  return {
    requests: open('requests', RequestRecord),
    notices: open('notices', Notice),
    uninstalls: open('uninstalls', UninstallRecord),
    settings: open('settings', SettingsRecord),
    unsignedEvents: open('unsigned_events', UnsignedEventsRecord),
    recentRequests: open('recent_requests', RecentRequests),
    connections: open('connections', Connection),
    tokens: open('tokens', TokenRecord),
    auditEntries: open('audit_entries', AuditEntry),
    installations: open('installations', InstallationRecord),
    organizations: open('organizations', MembershipRecord),
    usedStates: open('used_states', UsedName),
    tasks: open('tasks', TaskRecord),
  };
}
