/** Names that are used once. What is kept of a name is that it was used: of one that never comes, nothing. */
import type Keyv from 'keyv';
import type { Locks, Patience } from '../requests/ports/locks.ts';

export type Once = {
  isUsed(name: string): Promise<boolean>;
  /**
   * @param ms how long it is kept that the name was used
   * @returns whether this was the first use: of several at once only one is
   * @throws where the storage is away; LockedError where somebody else was using it all the while
   */
  use(name: string, ms: number): Promise<boolean>;
};

/** Looking and writing take milliseconds. */
const USING: Patience = { heldMs: 15_000, waitMs: 5_000 };

export function createOnce(store: Keyv, locks: Locks): Once {
  const isUsed = async (name: string) => (await store.get(name)) !== undefined;
  return {
    isUsed,
    use: (name, ms) =>
      locks.hold(`once ${name}`, USING, async ({ check }) => {
        if (await isUsed(name)) return false;
        check();
        await store.set(name, 1, ms);
        return true;
      }),
  };
}
