/** Locks over whatever can say in one step who has one. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LockedError, type Locks } from '../requests/locks.ts';

export type LockTable = {
  /** @returns whether `owner` has it now, for so many milliseconds */
  take(name: string, owner: string, ms: number): Promise<boolean>;
  /** Does nothing where somebody else has it by now. */
  release(name: string, owner: string): Promise<void>;
};

/** How long until it is asked again whether a lock is free. */
const PAUSE_MS = 50;

export function createLocks({ take, release }: LockTable): Locks {
  return {
    async hold(name, { heldMs, waitMs }, act) {
      const owner = randomUUID();
      const until = performance.now() + waitMs;
      while (!(await take(name, owner, heldMs))) {
        if (performance.now() >= until) throw new LockedError(name);
        await sleep(PAUSE_MS);
      }
      try {
        return await act();
      } finally {
        // What was done is done: a lock that could not be given back ends by itself.
        await release(name, owner).catch(() => {});
      }
    },
  };
}
