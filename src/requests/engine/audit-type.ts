/**
 * Tells the outbox how an entry of the audit trail gets into the audit stream: at least once. A reader of the stream takes
 * the last line of each id of a workspace.
 */
import type { Log } from '../../outbox/ports.ts';
import { type Change, type Performed, type RecordType, retryAt } from '../../outbox/record-type.ts';
import { type AuditEntry, pendingOfEntry } from '../model/audit-entry.ts';
import type { AuditStore, AuditStream } from '../ports/ports.ts';
import { auditEntry } from '../store/audit-trail.ts';

type Deps = { auditEntries: AuditStore; stream: AuditStream; log: Log };

export function createAuditType({ auditEntries, stream, log }: Deps): RecordType<AuditEntry, 'stream'> {
  return {
    store: auditEntries,
    fieldsOf,
    // Each entry is in the stream itself.
    level: 'debug',
    nameOf: () => 'stream_audit_entry',
    pending: pendingOfEntry,
    begin: async ({ record }, effect, holder) => ({
      type: 'claim',
      record: { ...record, claim: { ...holder, effect } },
      // A failover must not undo an entry that the stream has told.
      isSeen: true,
    }),
    async perform(_effect, entry) {
      try {
        await stream.write(entry);
        return streamed(entry);
      } catch (err) {
        log.error({ ...fieldsOf(entry), err }, 'audit entry not written to AUDIT_FILE, will retry');
        return { outcome: { result: 'failed' }, apply: retried };
      }
    },
    write: (before, after) => auditEntries.update(auditEntry(after), before.version),
  };
}

const fieldsOf = ({ workspace, id }: AuditEntry) => ({ workspace, auditEntry: id });

/** Marks an entry as written, unless it has got its result meanwhile: then it is written once more. */
function streamed(written: AuditEntry): Performed<AuditEntry> {
  const apply = (entry: AuditEntry): Change<AuditEntry> => {
    if (entry.result !== written.result) return { record: entry };
    const { retry: _, ...rest } = entry;
    return { record: entry.isToBeRemoved ? undefined : { ...rest, isStreamed: true } };
  };
  return { outcome: { result: 'written' }, apply, applyLate: apply };
}

function retried(entry: AuditEntry, now: number): Change<AuditEntry> {
  const tries = (entry.retry?.tries ?? 0) + 1;
  return { record: { ...entry, retry: { tries, notBefore: retryAt(now, tries) } } };
}
