/**
 * Enters acts into the audit trail: an act that changes a record, in the same write; an act without a record of its own,
 * before it begins, with its result after it. An entry without a result tells of an act that was cut short.
 */
import type { Log } from '../../outbox/ports.ts';
import { type Entry, type Further, NOT_STORED, type RecordRef } from '../../outbox/record-store.ts';
import { dueAt as dueAtOf } from '../../outbox/record-type.ts';
import { type AuditEntry, actsOnRequest, type NewAuditEntry, pendingOfEntry } from '../model/audit-entry.ts';
import type { RequestRecord } from '../model/record.ts';
import type { AuditStore } from '../ports/ports.ts';

export type RecordAct = <T>(
  act: Omit<NewAuditEntry, 'id' | 'at' | 'result'>,
  work: () => Promise<T>,
  /** The result; undefined: nothing was done, so that no entry stays. */
  resultOf: (done: T) => string | undefined,
) => Promise<T>;

type Deps = { auditEntries: AuditStore; uuid: () => string; log: Log };

/** The function throws what the work of the act throws, and if its entry can't be written: then the act does not begin. */
export function createRecordAct({ auditEntries, uuid, log }: Deps): RecordAct {
  return async (act, work, resultOf) => {
    const entry = auditEntry({ ...act, id: `act:${uuid()}`, at: await auditEntries.now() });
    await auditEntries.create(entry);
    // A result that can't be recorded is only logged: the act is done.
    const settled = (result: string | undefined) =>
      settle(auditEntries, entry.record, result).catch((err) =>
        log.error({ workspace: act.workspace, act: act.act, result, err }, 'result of an act not recorded'),
      );
    try {
      const done = await work();
      await settled(resultOf(done));
      return done;
    } catch (error) {
      await settled('failed');
      throw error;
    }
  };
}

/**
 * Adds the result of an act to its entry, which goes to the stream again with it. Meanwhile the loop may have written the
 * entry to the stream, or the operator may have replaced an id in it.
 *
 * @param result undefined: nothing was done, so the entry is removed
 */
async function settle(store: AuditStore, ref: RecordRef, result: string | undefined): Promise<void> {
  for (;;) {
    const entry = (await store.get(ref))?.record;
    if (!entry) return;
    if (result === undefined) {
      if ((await store.remove(entry, entry.version)) !== 'conflict') return;
    } else {
      const { isStreamed: _, ...before } = entry;
      if ((await store.update(auditEntry({ ...before, result }), entry.version)).type !== 'conflict') return;
    }
  }
}

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
