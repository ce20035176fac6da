/** The port of storages that are copied to a second server. */

/**
 * Runs `work`, and returns its result once a second server holds everything that `work` has read and written. A storage
 * without a second server just runs it.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;
