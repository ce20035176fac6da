/** What only one may do at a time, of all replicas and terminal commands: a port. */

/** Both are milliseconds. `heldMs`: longer than what is done under it ever takes, since nobody notices when it is over. */
export type Patience = { heldMs: number; waitMs: number };

/** Somebody else does it, and was still at it after all that waiting. Nothing was done. */
export class LockedError extends Error {
  constructor(name: string) {
    super(`Somebody else holds the lock "${name}".`);
  }
}

export type Locks = {
  /**
   * Does something alone. A process that ends meanwhile lets go when `heldMs` is over.
   *
   * @throws LockedError where it was not free within `waitMs`; whatever `act` throws
   */
  hold<T>(name: string, patience: Patience, act: () => Promise<T>): Promise<T>;
};
