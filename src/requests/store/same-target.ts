/** Finds the other requests for the order or offer of a request. */
import { type RequestRecord, slotOf, subjectOf } from '../model/record.ts';
import type { RequestStore } from '../ports/ports.ts';

type Reading = Pick<RequestStore, 'listBySubject'>;

/** The number of other requests for the same target that are considered. */
const OTHERS_READ = 20;

/**
 * A newer request for the same target that was sent, if there is one.
 *
 * It is no condition of the write. A request that is called between this read and the write might as well be called right
 * after the write: the record has the same version all the while, nothing in it depends on the newer one, and it ends
 * without the slot, which its Retry has to take again.
 */
export async function newerCalled(store: Reading, record: RequestRecord): Promise<RequestRecord | undefined> {
  const { records } = await store.listBySubject(
    record.workspace,
    subjectOf(record.kind, record.target),
    OTHERS_READ,
  );
  return records.find(
    ({ id, createdAt, call }) => id !== record.id && createdAt >= record.createdAt && call.attempts > 0,
  );
}

/**
 * Finds the request that holds the slot, which a resend must take again; undefined if it has released the slot
 * meanwhile.
 */
export async function holderOf(store: Reading, record: RequestRecord): Promise<RequestRecord | undefined> {
  const slot = slotOf(record) ?? '';
  const { records: others } = await store.listBySubject(record.workspace, slot, OTHERS_READ);
  return others.find((other) => other.id !== record.id && slotOf(other) === slot);
}
