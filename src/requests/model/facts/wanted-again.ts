/** Finds the person who wants a request sent again, and so has made it, too. */
import type { RequestRecord } from '../record.ts';

/** The person because of whom approval was requested again, the last time; undefined: it was requested once. */
export function wantedAgainBy({ steps }: Pick<RequestRecord, 'steps'>): string | undefined {
  const again = steps.findLast(({ cause }) => cause.type === 'approval_requested_again')?.cause;
  return again?.type === 'approval_requested_again' ? again.by : undefined;
}
