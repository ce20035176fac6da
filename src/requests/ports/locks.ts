/** The port for locks that all replicas and terminal commands share. */

/**
 * Both are milliseconds. `ttlMs`: longer than the work under the lock ever takes, unless its process is frozen.
 * `timeoutMs`: how long to wait for the lock.
 */
export type LockOptions = { ttlMs: number; timeoutMs: number };

/** Another process held the lock for the whole wait. Nothing was done. */
export class LockedError extends Error {
  constructor(name: string) {
    super(`Somebody else holds the lock "${name}".`);
  }
}

/** The process was frozen for longer than the lock's lifetime, so another one may hold the lock. Nothing was written. */
export class LockExpiredError extends Error {
  constructor(name: string) {
    super(`The lock "${name}" was held for too long.`);
  }
}

export type Lease = {
  /**
   * Runs a write of the storage. It is refused once another process may hold the lock, also if this process is frozen in
   * the middle of it.
   *
   * @throws LockExpiredError, or the storage's own error if it was that which refused it
   */
  write<T>(work: () => Promise<T>): Promise<T>;
};

export type Locks = {
  /**
   * Runs `work` under the lock. If its process ends meanwhile, the lock is free after `ttlMs`.
   *
   * @throws LockedError if the lock was not free within `timeoutMs`; whatever `work` throws
   */
  withLock<T>(name: string, options: LockOptions, work: (lease: Lease) => Promise<T>): Promise<T>;
};
