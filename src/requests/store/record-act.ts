/**
 * Puts an act without a record of its own into the audit trail: its entry is written before the act begins, and its result
 * after it. An entry without a result tells of an act that was cut short.
 */

import type { Log } from '../../outbox/ports.ts';
import type { RecordRef } from '../../outbox/record-store.ts';
import type { NewAuditEntry } from '../model/audit/audit-entry.ts';
import type { AuditStore } from '../ports/ports.ts';
import { auditEntry } from './audit-trail.ts';

export type RecordAct = <T>(
  act: Omit<NewAuditEntry, 'id' | 'at' | 'result'>,
  work: () => Promise<T>,
  /** The result; undefined: nothing was done, so that no entry stays. */
  resultOf: (done: T) => string | undefined,
) => Promise<T>;

type Deps = { auditEntries: AuditStore; uuid: () => string; log: Log };

/** The act throws what its work throws; also if its entry can't be written, and then it does not begin. */
export function createRecordAct({ auditEntries, uuid, log }: Deps): RecordAct {
  return async (act, work, resultOf) => {
    const entry = auditEntry({ ...act, id: `act:${uuid()}`, at: await auditEntries.now() });
    await auditEntries.create(entry);
    // What was done is done, whether its result is told or not.
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
 * Adds the result of an act to its entry, which goes to the stream again with it. Meanwhile the loop may have written the entry
 * to the stream, or the operator may have replaced an id in it.
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
