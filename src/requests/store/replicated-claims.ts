/** Makes calls rely on claims that a second server holds, too. */
import { fieldsOf } from '../model/record.ts';
import type { Log, OrderCalls } from '../ports/ports.ts';
import type { Replicated } from '../ports/replicated.ts';

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
