/** The port of storages that are copied to other servers. */

/**
 * Runs `work`, and returns its result once every server that could take over holds what `work` has read and written.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;

/** For a storage on one server. */
export const unreplicated: Replicated = (work) => work();
