/** Tells whether the order service still owes a workspace an outcome. */
import type { RequestRecord } from '../record.ts';
import { STATES } from '../states.ts';
import { mayHaveReceived } from './receipt.ts';

/** The store subject that lists the requests awaiting an outcome. */
export const OUTCOME_OWED = 'outcome owed';

/**
 * Whether an outcome may still arrive. An open request may get one before it is sent again: an event about an earlier
 * call may still come.
 */
export function awaitsOutcome(record: RequestRecord): boolean {
  const { owed, slot } = STATES[record.state];
  return owed || (slot && mayHaveReceived(record));
}
