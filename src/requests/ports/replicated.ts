/** The port of storages that are copied to a second server. */
import { fieldsOf } from '../model/facts/log-fields.ts';
import type { Log, OrderCalls } from './ports.ts';

/**
 * Runs `work`, and returns its result once a second server holds everything that `work` has read and written. A storage
 * without a second server just runs it.
 *
 * @throws if that is not known in time. What was written stands, and a failover may undo it: nobody may rely on it yet
 */
export type Replicated = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a call only once its claim is replicated: a claim that a failover undoes would let another process make the
 * call again. Otherwise nothing is sent, and the call is tried again later; the log says why.
 */
export const withReplicatedClaims = (
  { carryOut }: OrderCalls,
  { replicated, log }: { replicated: Replicated; log: Log },
): OrderCalls => ({
  carryOut: (record, guard) =>
    carryOut(record, {
      ...guard,
      isHeld: () =>
        replicated(guard.isHeld).catch((err) => {
          log.error({ ...fieldsOf(record), err }, 'call not made: its claim is not confirmed');
          throw err;
        }),
    }),
});
