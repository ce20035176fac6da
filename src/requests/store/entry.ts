/** Writes requests and notices together with the keys that the store indexes them by. */
import type { Condition, Entry, Updated } from '../../outbox/record-store.ts';
import type { Notice } from '../model/notices/notice.ts';
import { noticeDueAt } from '../model/notices/notice-effects.ts';
import { requestDueAt, type Timings } from '../model/pending-effects.ts';
import { type RequestRecord, slotOf } from '../model/record.ts';
import { withoutSlot } from '../model/transition.ts';
import type { RequestStore } from '../ports/ports.ts';
import { auditOf } from './audit-trail.ts';
import { noticeSubjects, subjectsOf } from './subjects.ts';

export function entryOf(record: RequestRecord, timings: Timings): Entry<RequestRecord> {
  return {
    record,
    subjects: subjectsOf(record, timings),
    at: record.createdAt,
    slot: slotOf(record),
    dueAt: requestDueAt(record, timings),
  };
}

export function noticeEntry(notice: Notice): Entry<Notice> {
  return {
    record: notice,
    subjects: noticeSubjects(notice),
    at: notice.at,
    slot: undefined,
    dueAt: noticeDueAt(notice),
  };
}

type WriteDeps = { store: RequestStore; timings: Timings };

/** The request as it was read and as it is to be. */
type Replacement = { before: RequestRecord; after: RequestRecord };

/**
 * Writes a request over the version that was read, and in the same step an audit entry for each act of a person that the
 * change shows.
 */
export const replaceRecord = (
  { store, timings }: WriteDeps,
  { before, after }: Replacement,
  conditions: readonly Condition[] = [],
): Promise<Updated> =>
  store.update(entryOf(after, timings), before.version, conditions, auditOf(before, after));

/**
 * Writes what came from the service, or from an effect, like `replaceRecord`. If the service reopened the request while
 * another one holds its target, the record is written without the slot, and its card says so.
 *
 * @returns `conflict` also if a condition is not met: then it is to be tried again with what is stored now
 */
export async function updateRecord(
  deps: WriteDeps,
  { before, after }: Replacement,
  conditions: readonly Condition[] = [],
): Promise<Extract<Updated, { version: number }> | { type: 'conflict' }> {
  const write = (next: RequestRecord) => replaceRecord(deps, { before, after: next }, conditions);
  const written = await write(after);
  const reopened = written.type === 'slot_taken' ? await write(withoutSlot(after)) : written;
  return reopened.type === 'updated' ? reopened : { type: 'conflict' };
}
