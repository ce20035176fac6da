/**
 * Enters acts into the audit trail: an act that changes a record, in the same write; an act without a record of its own,
 * before it begins, with its result after it. An entry without a result tells of an act that was cut short. Has each entry
 * written to the audit stream, if the bot has one.
 */
import type { Log } from '../../outbox/ports.ts';
import { type Entry, type Further, NOT_STORED, type RecordRef } from '../../outbox/record-store.ts';
import {
  type Change,
  dueAt as dueAtOf,
  type Performed,
  type RecordType,
  retryAt,
} from '../../outbox/record-type.ts';
import { type AuditEntry, actsOnRequest, type NewAuditEntry, pendingOfEntry } from '../model/audit-entry.ts';
import type { RequestRecord } from '../model/record.ts';
import type { AuditStore, AuditStream } from '../ports/ports.ts';

export type RecordAct = <T>(
  act: Omit<NewAuditEntry, 'id' | 'at' | 'result'>,
  work: () => Promise<T>,
  /** The result; undefined: nothing was done, so that no entry stays. */
  resultOf: (done: T) => string | undefined,
) => Promise<T>;

type Deps = { auditEntries: AuditStore; uuid: () => string; log: Log };

/**
 * Creates the function that runs an act without a record of its own. The function throws what `work` throws, and if the entry
 * can't be written before it: then the act does not begin.
 */
export function createRecordAct({ auditEntries, uuid, log }: Deps): RecordAct {
  return async (act, work, resultOf) => {
    const entry = auditEntry({ ...act, id: `act:${uuid()}`, at: await auditEntries.now() });
    await auditEntries.create(entry);
    // A result that can't be recorded is only logged: the act is done.
    const settled = (result: string | undefined) =>
      changeEntry(auditEntries, entry.record, withResult(result)).catch((err) =>
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

/** Adds the result of an act to its entry, which goes to the stream again with it. */
const withResult =
  (result: string | undefined) =>
  ({ isStreamed, ...entry }: AuditEntry): AuditEntry | undefined => {
    if (result !== undefined) return { ...entry, result };
    // If the stream has a line of the entry, or may have one, it tells of an act that was cut short: another line must follow.
    const isTold = isStreamed || entry.claim !== undefined || entry.retry !== undefined;
    return isTold ? { ...entry, result: 'nothing_done', isToBeRemoved: true } : undefined;
  };

/**
 * Changes an entry, if it exists, by compare-and-set: the loop may write it to the stream meanwhile, its act may get its result,
 * or the operator may replace an id in it.
 *
 * @param change called again after a conflict; the same entry: nothing is changed; undefined: the entry is removed
 */
export async function changeEntry(
  store: AuditStore,
  ref: RecordRef,
  change: (entry: AuditEntry) => AuditEntry | undefined,
): Promise<void> {
  for (;;) {
    const entry = (await store.get(ref))?.record;
    if (!entry) return;
    const next = change(entry);
    if (next === entry) return;
    const written = next
      ? (await store.update(auditEntry(next), entry.version)).type
      : await store.remove(entry, entry.version);
    if (written !== 'conflict') return;
  }
}

/** An audit entry as the store keeps it. It is due until the loop has written it to the audit stream, if the bot has one. */
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

/**
 * Tells the outbox how an entry gets into the audit stream: at least once, and the lines of one id in any order. A reader of the
 * stream takes a line with a result before one without.
 */
export function createAuditType({
  auditEntries,
  stream,
  log,
}: Pick<Deps, 'auditEntries' | 'log'> & { stream: AuditStream }): RecordType<AuditEntry, 'stream'> {
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
    async perform(_effect, entry, guard) {
      if (!guard.inTime()) return { outcome: { result: 'too_late' }, apply: retried };
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

/**
 * Marks an entry as written. If it has got its result meanwhile, it is written once more instead, even if another process has
 * written the result already: the line without a result may have come after it.
 */
function streamed(written: AuditEntry): Performed<AuditEntry> {
  const apply = (entry: AuditEntry): Change<AuditEntry> => {
    const { retry: _, isStreamed, ...rest } = entry;
    if (entry.result !== written.result) return { record: isStreamed ? rest : entry };
    return { record: entry.isToBeRemoved ? undefined : { ...rest, isStreamed: true } };
  };
  return { outcome: { result: 'written' }, apply, applyLate: apply };
}

function retried(entry: AuditEntry, now: number): Change<AuditEntry> {
  const tries = (entry.retry?.tries ?? 0) + 1;
  return { record: { ...entry, retry: { tries, notBefore: retryAt(now, tries) } } };
}
