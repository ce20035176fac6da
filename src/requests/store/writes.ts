/**
 * Writes requests, and derives the keys by which the store indexes requests and notices. A request is changed by compare-and-set,
 * again after each conflict. Where the settings decide, the write succeeds only if they are still what was read.
 */
import type { Replicated, Wake } from '../../outbox/ports.ts';
import {
  type Condition,
  type Entry,
  type RecordRef,
  SETTINGS_ID,
  type Updated,
} from '../../outbox/record-store.ts';
import type { Notice } from '../model/notices/notice.ts';
import { noticeDueAt } from '../model/notices/notice-effects.ts';
import { requestDueAt } from '../model/pending-effects.ts';
import { type RequestRecord, slotOf } from '../model/record.ts';
import type { InForce } from '../model/settings.ts';
import type { Timings } from '../model/timings.ts';
import type { RequestStore, Workspaces } from '../ports/ports.ts';
import { auditOf } from './audit-trail.ts';
import { noticeSubjects, subjectsOf } from './subjects.ts';

export type ChangeDeps = {
  store: RequestStore;
  /** Slack repeats nothing that was answered, so no answer may rely on a change that a failover undoes. */
  replicated: Replicated;
  wake: Wake;
  timings: Timings;
};

/**
 * `record`: the changed record, or the one that was read if nothing changes. `result`: for the caller. `conditions`: of writing
 * it; where one is not met, the change is made again.
 */
export type RequestChange<T> = { record: RequestRecord; result?: T; conditions?: readonly Condition[] };

/**
 * Changes a request, if it exists.
 *
 * @param change called again with the newer record after a conflict, or where a condition was not met
 * @returns the result of `change` once it is written and replicated; undefined if there is no such record
 * @throws if the storage is unavailable, and whatever `change` throws: the change must be repeated
 */
export function changeRequest<T>(
  deps: ChangeDeps,
  ref: RecordRef,
  change: (record: RequestRecord, now: number) => Promise<RequestChange<T>> | RequestChange<T>,
): Promise<T | undefined> {
  const { store, replicated, wake } = deps;
  return replicated(async () => {
    for (;;) {
      const found = await store.get(ref);
      if (!found) return undefined;
      const { record, result, conditions } = await change(found.record, found.now);
      if (record === found.record) return result;
      const written = await replaceRequest(deps, found.record, record, conditions);
      if (written.type !== 'updated') continue;
      wake(record);
      return result;
    }
  });
}

/** The condition that nobody has saved settings since they were read. */
export const whileInForce = ({ version }: Pick<InForce, 'version'>): Condition => ({
  type: 'settings',
  id: SETTINGS_ID,
  version,
});

/** The number of tries, after which the person is asked to try again later: somebody saves settings again and again. */
const SETTINGS_TRIES = 3;

/**
 * Runs `attempt` under the settings in force, and again if they were saved meanwhile: an admin may save a policy while a
 * request is made under the former one.
 *
 * @param attempt returns undefined if `whileInForce` was not met when it wrote
 * @returns undefined if it was never met: nothing was written
 * @throws if the settings can't be read, and whatever `attempt` throws
 */
export async function underSettings<T>(
  { inForce }: Pick<Workspaces, 'inForce'>,
  workspace: string,
  attempt: (settings: InForce) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let tries = 0; tries < SETTINGS_TRIES; tries++) {
    const result = await attempt(await inForce(workspace));
    if (result !== undefined) return result;
  }
  return undefined;
}

export function requestEntry(record: RequestRecord, timings: Timings): Entry<RequestRecord> {
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

/**
 * Writes a request over the version that was read, and in the same step an audit entry for each act of a person that the
 * change shows.
 */
export const replaceRequest = (
  { store, timings }: WriteDeps,
  before: RequestRecord,
  after: RequestRecord,
  conditions: readonly Condition[] = [],
): Promise<Updated> =>
  store.update(requestEntry(after, timings), before.version, conditions, auditOf(before, after));

/**
 * Writes what came from the service, or from an effect, like `replaceRequest`. If the service reopened the request while
 * another one holds its target, the record is written without the slot, and its card says so.
 *
 * @returns `conflict`, too, if a condition is not met: then it is to be tried again with what is stored now
 */
export async function replaceOrYieldSlot(
  deps: WriteDeps,
  before: RequestRecord,
  after: RequestRecord,
  conditions: readonly Condition[] = [],
): Promise<Extract<Updated, { version: number }> | { type: 'conflict' }> {
  let written = await replaceRequest(deps, before, after, conditions);
  if (written.type === 'slot_taken')
    written = await replaceRequest(deps, before, { ...after, holdsSlot: false }, conditions);
  return written.type === 'updated' ? written : { type: 'conflict' };
}
