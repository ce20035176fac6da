/** Reads and writes, by compare-and-set, records that may be claimed, and that are stored only while they say something. */
import { isStanding } from '../outbox/claim.ts';
import { type Entry, NOT_STORED, type RecordStore, type Stored } from '../outbox/record-store.ts';
import type { NewAuditEntry } from '../requests/model/audit-entry.ts';
import { audited } from '../requests/store/audit-trail.ts';

/** `claim`: ends by the store's clock, epoch milliseconds. */
type Claimable = Stored & { claim?: { owner: string; expiresAt: number } | undefined };

/** @param now epoch milliseconds by the store's clock */
export const isClaimed = ({ claim }: Claimable, now: number): boolean =>
  claim !== undefined && isStanding(claim.expiresAt, now);

/**
 * Everything throws if the storage is unavailable, or a record can't be read.
 *
 * @param empty makes the record that stands for one that is not stored
 * @param entryOf returns undefined for a record that says nothing: it is removed
 */
export function recordChanges<R extends Claimable>(
  records: RecordStore<R>,
  empty: (id: string) => R,
  entryOf: (record: R) => Entry<R> | undefined,
) {
  async function read(id: string): Promise<{ record: R; now: number }> {
    const record = empty(id);
    return (await records.get(record)) ?? { record, now: await records.now() };
  }

  /** @param acts what somebody did by the write @returns whether nobody else has written meanwhile */
  async function write(record: R, acts: readonly NewAuditEntry[] = []): Promise<boolean> {
    const { version } = record;
    const entry = entryOf(record);
    if (!entry) return version === NOT_STORED || (await records.remove(record, version)) === 'removed';
    const written = await (version === NOT_STORED
      ? records.create(entry, [], audited(acts))
      : records.update(entry, version, [], audited(acts)));
    return 'version' in written;
  }

  /** @param decide returns the same record to change nothing; called again after a conflict */
  async function change(id: string, decide: (record: R, now: number) => R): Promise<R> {
    for (;;) {
      const { record, now } = await read(id);
      const next = decide(record, now);
      if (next === record || (await write(next))) return next;
    }
  }

  return { now: records.now, read, write, change };
}
