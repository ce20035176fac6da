/** Implements locks over a table that changes owners atomically. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LockExpiredError, LockedError, type Locks } from '../requests/ports/locks.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { RUNTIME } from '../runtime.ts';

export type LockTable = {
  /** @returns whether `owner` holds the lock now, for so many milliseconds */
  take(name: string, owner: string, ms: number): Promise<boolean>;
  /** Does nothing if another owner holds the lock by now. */
  release(name: string, owner: string): Promise<void>;
};

/** The interval between two tries to take a lock. */
const PAUSE_MS = 50;

/** The milliseconds that are left of a lock. @throws LockExpiredError if there are none */
export type LockTime = () => number;

/** The lock of the write that is under way (`Lease.write`). It goes beside the call, since keyv has no parameter for it. */
const ofWrite = new AsyncLocalStorage<LockTime>();
const unlimited: LockTime = () => Number.POSITIVE_INFINITY;

/** For the adapters of the storage: called where a write is asked for, and its result where the write is made. */
export const lockTime = (): LockTime => ofWrite.getStore() ?? unlimited;

export function createLocks(
  { take, release }: LockTable,
  { uuid, monotonic, sleep }: Pick<Runtime, 'uuid' | 'monotonic' | 'sleep'> = RUNTIME,
): Locks {
  return {
    async withLock(name, { ttlMs, timeoutMs }, work) {
      const owner = uuid();
      const until = monotonic() + timeoutMs;
      let since = monotonic();
      while (!(await take(name, owner, ttlMs))) {
        if (monotonic() >= until) throw new LockedError(name);
        await sleep(PAUSE_MS);
        since = monotonic();
      }
      const left = () => {
        const ms = ttlMs - (monotonic() - since);
        if (ms <= 0) throw new LockExpiredError(name);
        return ms;
      };
      try {
        return await work({ write: (act) => ofWrite.run(left, act) });
      } finally {
        // The work is complete, and a lock that can't be released expires by itself.
        await release(name, owner).catch(() => {});
      }
    },
  };
}
