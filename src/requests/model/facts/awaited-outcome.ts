/** Whether the order service still owes a workspace an outcome. */
import type { RequestRecord } from '../record.ts';
import { STATES } from '../states.ts';
import { mayHaveReceived } from './receipt.ts';

/** The subject under which the requests are listed that wait for an outcome. */
export const OUTCOME_OWED = 'outcome owed';

/** Of an open request also while it is not sent again yet: an event about an earlier call may still come. */
export function awaitsOutcome(record: RequestRecord): boolean {
  const { owed, slot } = STATES[record.state];
  return owed || (slot && mayHaveReceived(record));
}
