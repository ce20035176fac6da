/** Locks over whatever can say in one step who has one. */
import { LockExpiredError, LockedError, type Locks } from '../requests/ports/locks.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { RUNTIME } from '../runtime.ts';

export type LockTable = {
  /** @returns whether `owner` has it now, for so many milliseconds */
  take(name: string, owner: string, ms: number): Promise<boolean>;
  /** Does nothing where somebody else has it by now. */
  release(name: string, owner: string): Promise<void>;
};

/** How long until it is asked again whether a lock is free. */
const PAUSE_MS = 50;

export function createLocks(
  { take, release }: LockTable,
  { uuid, monotonic, sleep }: Pick<Runtime, 'uuid' | 'monotonic' | 'sleep'> = RUNTIME,
): Locks {
  return {
    async hold(name, { heldMs, waitMs }, act) {
      const owner = uuid();
      const until = monotonic() + waitMs;
      let since = monotonic();
      while (!(await take(name, owner, heldMs))) {
        if (monotonic() >= until) throw new LockedError(name);
        await sleep(PAUSE_MS);
        since = monotonic();
      }
      const check = () => {
        if (monotonic() - since >= heldMs) throw new LockExpiredError(name);
      };
      try {
        return await act({ check });
      } finally {
        // What was done is done: a lock that could not be given back ends by itself.
        await release(name, owner).catch(() => {});
      }
    },
  };
}
