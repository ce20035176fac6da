/** Prepares entries of the audit trail for the write of what they tell. */

import type { Entry, Further } from '../../outbox/record-store.ts';
import { NOT_STORED } from '../../outbox/record-store.ts';
import { actsOnRequest } from '../model/audit/acts-on-request.ts';
import type { AuditEntry, NewAuditEntry } from '../model/audit/audit-entry.ts';
import type { RequestRecord } from '../model/record.ts';

export const auditEntry = (entry: NewAuditEntry): Entry<AuditEntry> => ({
  record: { ...entry, version: NOT_STORED },
  subjects: [],
  at: entry.at,
  slot: undefined,
  dueAt: undefined,
});

export const audited = (entries: readonly NewAuditEntry[]): Further[] =>
  entries.map((entry) => ({ type: 'audit_entries', entry: auditEntry(entry) }));

/** @param before undefined: the request is new */
export const auditOf = (before: RequestRecord | undefined, after: RequestRecord): Further[] =>
  audited(actsOnRequest(before, after));
