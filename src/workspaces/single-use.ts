/** Tracks names that can be used once. Only used names are stored, so a name that is never used leaves nothing. */
import type Keyv from 'keyv';
import type { LockOptions, Locks } from '../requests/ports/locks.ts';

export type SingleUse = {
  isUsed(name: string): Promise<boolean>;
  /**
   * @param ms how long the use is remembered
   * @returns whether this was the first use: only one of several concurrent ones is
   * @throws if the storage is unavailable; LockedError if another use held the lock all the time
   */
  use(name: string, ms: number): Promise<boolean>;
};

/** Reading and writing take milliseconds. */
const USING: LockOptions = { ttlMs: 15_000, timeoutMs: 5_000 };

export function createSingleUse(store: Keyv, locks: Locks): SingleUse {
  const isUsed = async (name: string) => (await store.get(name)) !== undefined;
  return {
    isUsed,
    use: (name, ms) =>
      locks.withLock(`once ${name}`, USING, async ({ write }) => {
        if (await isUsed(name)) return false;
        await write(() => store.set(name, 1, ms));
        return true;
      }),
  };
}
