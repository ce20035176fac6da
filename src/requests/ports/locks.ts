/** What only one may do at a time, of all replicas and terminal commands: a port. */

/** Both are milliseconds. `heldMs`: longer than what is done under it ever takes, unless its process is frozen. */
export type Patience = { heldMs: number; waitMs: number };

/** Somebody else does it, and was still at it after all that waiting. Nothing was done. */
export class LockedError extends Error {
  constructor(name: string) {
    super(`Somebody else holds the lock "${name}".`);
  }
}

/** A process was frozen for longer than it may hold a lock: somebody else may hold it by now. What was to be done was not. */
export class LockExpiredError extends Error {
  constructor(name: string) {
    super(`The lock "${name}" was held for too long.`);
  }
}

export type Lease = {
  /** Asked in the tick of a write. @throws LockExpiredError where somebody else may hold the lock by now */
  check(): void;
};

export type Locks = {
  /**
   * Does something alone. A process that ends meanwhile lets go when `heldMs` is over.
   *
   * @throws LockedError where it was not free within `waitMs`; whatever `act` throws
   */
  hold<T>(name: string, patience: Patience, act: (lease: Lease) => Promise<T>): Promise<T>;
};
