/**
 * Puts an act without a record of its own into the audit trail: its entry is written before the act begins, and its result
 * after it. An entry without a result tells of an act that was cut short.
 */

import type { Log } from '../../outbox/ports.ts';
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
    const created = await auditEntries.create(entry);
    const version = 'version' in created ? created.version : entry.record.version;
    const settle = (result: string | undefined): Promise<unknown> =>
      result === undefined
        ? auditEntries.remove(entry.record, version)
        : auditEntries.update({ ...entry, record: { ...entry.record, result } }, version);
    // What was done is done, whether its result is told or not.
    const settled = (result: string | undefined) =>
      settle(result).catch((err) =>
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
