/** Changes records by compare-and-set. Such a record may hold a claim, and is stored only while it holds anything. */
import { isClaimStanding, withoutClaim } from './claim.ts';
import {
  type Entry,
  type Further,
  NOT_STORED,
  type RecordStore,
  type Stored,
  writeRecord,
} from './record-store.ts';

/** `claim`: ends by the store's clock. */
type WithClaim = Stored & { claim?: { owner: string; expiresAt: number } | undefined };

/** The right of one process (`owner`) to do something with records. */
export type HeldClaim = {
  owner: string;
  /** Whether the claim still stands. */
  isHeld(): Promise<boolean>;
  /** Removes the claim, if it has not been replaced. */
  release(): Promise<void>;
};

export const isClaimed = ({ claim }: WithClaim, now: number): boolean =>
  claim !== undefined && isClaimStanding(claim.expiresAt, now);

/**
 * @param empty makes the record that stands for one that is not stored
 * @param entryOf returns undefined for a record that holds nothing: it is removed
 */
export function recordChanges<R extends WithClaim>(
  records: RecordStore<R>,
  empty: (id: string) => R,
  entryOf: (record: R) => Entry<R> | undefined,
) {
  async function read(id: string): Promise<{ record: R; now: number }> {
    const record = empty(id);
    return (await records.get(record)) ?? { record, now: await records.now() };
  }

  /** @param further created by the same write @returns whether nobody else has written meanwhile */
  async function write(record: R, further: readonly Further[] = []): Promise<boolean> {
    const { version } = record;
    const entry = entryOf(record);
    if (entry) return (await writeRecord(records, entry, [], further)).type === 'written';
    return version === NOT_STORED || (await records.remove(record, version)) === 'removed';
  }

  /** @param decide returns the same record to change nothing; called again after a conflict @returns the record after that */
  async function change(id: string, decide: (record: R, now: number) => R): Promise<R> {
    for (;;) {
      const { record, now } = await read(id);
      const next = decide(record, now);
      if (next === record || (await write(next))) return next;
    }
  }

  /** Returns the claim that `owner` has written into these records. */
  const claimOf = (owner: string, ids: readonly string[]): HeldClaim => ({
    owner,
    async isHeld() {
      const all = await Promise.all(ids.map(read));
      return all.every(({ record, now }) => record.claim?.owner === owner && isClaimed(record, now));
    },
    async release() {
      for (const id of ids)
        await change(id, (record) => (record.claim?.owner === owner ? withoutClaim(record) : record));
    },
  });

  /**
   * Claims all of these records, or none.
   *
   * @param own the claim without its expiry, whose owner nobody else has
   * @param ms its lifetime
   * @param isFree whether a record that nobody has claimed may be claimed
   * @returns undefined if one of them is claimed, or not free
   */
  async function claim(
    ids: readonly string[],
    own: Omit<NonNullable<R['claim']>, 'expiresAt'> & { owner: string },
    ms: number,
    isFree: (record: R) => boolean = () => true,
  ): Promise<HeldClaim | undefined> {
    const held = claimOf(own.owner, ids);
    try {
      for (const [n, id] of ids.entries()) {
        const after = await change(id, (record, now) =>
          !isFree(record) || isClaimed(record, now)
            ? record
            : { ...record, claim: { ...own, expiresAt: now + ms } },
        );
        if (after.claim?.owner === own.owner) continue;
        await claimOf(own.owner, ids.slice(0, n)).release();
        return undefined;
      }
      return held;
    } catch (error) {
      // Only the answer to a write may be lost. Nobody else would release the claim before it expires.
      await held.release().catch(() => {});
      throw error;
    }
  }

  return { now: records.now, read, write, change, claim };
}
