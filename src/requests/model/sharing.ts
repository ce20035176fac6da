/** Keeps what is known of whether people of another company read a request's channel. */
import type { Found, Posting, Updating } from './delivery.ts';
import { withNote } from './notification.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';

/** The record with what is known of its card's channel. Whoever asked hears once that it is shared now. */
export function withSharing(record: RequestRecord, inSharedChannel: boolean, now: number): RequestRecord {
  if (record.inSharedChannel === inSharedChannel) return record;
  const next = { ...record, inSharedChannel, revision: record.revision + 1 };
  const isTold = record.notes.some(({ type }) => type === 'shared');
  const isNews = inSharedChannel && STATES[record.state].slot && !isTold;
  return isNews ? withNote(next, { type: 'shared' }, now) : next;
}

/** The same after something was shown: whoever showed it has looked at the channel. */
export function withSharingSeen(
  record: RequestRecord,
  result: Posting | Updating | Found,
  now: number,
): RequestRecord {
  return 'inSharedChannel' in result && result.inSharedChannel ? withSharing(record, true, now) : record;
}
