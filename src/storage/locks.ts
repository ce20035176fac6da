/** Implements locks over a table that changes owners atomically. */
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
      const check = () => {
        if (monotonic() - since >= ttlMs) throw new LockExpiredError(name);
      };
      try {
        return await work({ check });
      } finally {
        // The work is complete, and a lock that can't be released expires by itself.
        await release(name, owner).catch(() => {});
      }
    },
  };
}
