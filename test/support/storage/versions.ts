/** Reads and expects versions of records, which the stores draw. */
import { expect } from 'vitest';
import {
  type Entry,
  NOT_STORED,
  type RecordRef,
  type RecordStore,
  type Stored,
} from '../../../src/outbox/record-store.ts';

/** The version that is stored now; `NOT_STORED` if there is no such record. */
export async function versionOf<R extends Stored>(store: RecordStore<R>, ref: RecordRef): Promise<number> {
  return (await store.get(ref))?.record.version ?? NOT_STORED;
}

/** Writes a record over the version that is stored now. */
export const overwrite = async <R extends Stored>(store: RecordStore<R>, entry: Entry<R>) =>
  (await store.update(entry, await versionOf(store, entry.record))).type;

/** Expects a record in whatever version. */
export const inAnyVersion = <R extends Stored>(record: R): R => ({ ...record, version: expect.any(Number) });

/** Expects the result of a creation. */
export const CREATED = { type: 'created', version: expect.any(Number) };
