/** Changes a record by compare-and-set, again for as long as others are faster. */
import type { Timings } from '../model/pending-effects.ts';
import type { RequestRecord } from '../model/record.ts';
import type { RequestStore, Trigger } from '../ports/ports.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { entryOf } from './entry.ts';

export type ChangeDeps = { store: RequestStore; trigger: Trigger; timings: Timings };

/** `record`: how it is to be; the one that was read where nothing changes. */
export type Change<T> = { record: RequestRecord; result: T };

/**
 * @param change called again with the newer record where somebody else has written meanwhile
 * @returns its result, once the change is written; undefined where there is no such record
 * @throws where the storage is away, and what `change` throws: nothing was written
 */
export async function changeRecord<T>(
  { store, trigger, timings }: ChangeDeps,
  ref: RecordRef,
  change: (record: RequestRecord, now: number) => Promise<Change<T>> | Change<T>,
): Promise<T | undefined> {
  for (;;) {
    const found = await store.get(ref);
    if (!found) return undefined;
    const { record, result } = await change(found.record, found.now);
    if (record === found.record) return result;
    if ((await store.update(entryOf(record, timings), found.record.version)) !== 'updated') continue;
    trigger(record);
    return result;
  }
}
