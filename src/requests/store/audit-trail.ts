/** Prepares entries of the audit trail for the write of what they tell. */

import type { Entry, Further } from '../../outbox/record-store.ts';
import { NOT_STORED } from '../../outbox/record-store.ts';
import { dueAt as dueAtOf } from '../../outbox/record-type.ts';
import { actsOnRequest } from '../model/audit/acts-on-request.ts';
import { type AuditEntry, type NewAuditEntry, pendingOfEntry } from '../model/audit/audit-entry.ts';
import type { RequestRecord } from '../model/record.ts';

/** An entry is due until the loop has written it to the audit stream, if the bot has one. */
export const auditEntry = (entry: NewAuditEntry | AuditEntry): Entry<AuditEntry> => {
  const record: AuditEntry = { version: NOT_STORED, ...entry };
  const dueAt = dueAtOf(record, () => pendingOfEntry(record));
  return { record, subjects: [], at: entry.at, slot: undefined, dueAt };
};

export const audited = (entries: readonly NewAuditEntry[]): Further[] =>
  entries.map((entry) => ({ type: 'audit_entries', entry: auditEntry(entry) }));

/** @param before undefined: the request is new */
export const auditOf = (before: RequestRecord | undefined, after: RequestRecord): Further[] =>
  audited(actsOnRequest(before, after));
