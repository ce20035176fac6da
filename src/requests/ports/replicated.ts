/** The port of storages that are copied to a second server. */
import type { OrderCalls } from './ports.ts';

/**
 * Runs `work`, and returns its result once a second server holds everything that `work` has read and written. A storage
 * without a second server just runs it.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a call only once its claim is replicated: a claim that a failover undoes would let another process make the
 * call again. Otherwise nothing is sent, and the call is tried again later.
 */
export const withReplicatedClaims = ({ carryOut }: OrderCalls, replicated: Replicated): OrderCalls => ({
  carryOut: (record, guard) => carryOut(record, { ...guard, isHeld: () => replicated(guard.isHeld) }),
});
