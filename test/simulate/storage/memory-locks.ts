/** Keeps locks in memory. */
import type { LockTable } from '../../../src/storage/locks.ts';

export type Holders = Map<string, { owner: string; until: number }>;

/** @param clock epoch milliseconds */
export function createMemoryLockTable(clock: () => number, held: Holders = new Map()): LockTable {
  return {
    async take(name, owner, ms) {
      const holder = held.get(name);
      if (holder && holder.until > clock()) return false;
      held.set(name, { owner, until: clock() + ms });
      return true;
    },
    async release(name, owner) {
      if (held.get(name)?.owner === owner) held.delete(name);
    },
  };
}
