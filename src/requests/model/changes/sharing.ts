/** Records whether people of another company read a request's channel. */
import type { FindResult, PostResult, UpdateResult } from '../../../outbox/delivery.ts';
import type { RequestRecord } from '../record.ts';
import { STATES } from '../states.ts';
import { withNote } from './notify.ts';

/** Sets whether the card's channel is shared. The requester is notified once that it is. */
export function withSharing(record: RequestRecord, inSharedChannel: boolean, now: number): RequestRecord {
  if (record.inSharedChannel === inSharedChannel) return record;
  const next = { ...record, inSharedChannel, revision: record.revision + 1 };
  const isTold = record.messages.some(({ type }) => type === 'shared');
  const isNews = inSharedChannel && STATES[record.state].slot && !isTold;
  return isNews ? withNote(next, { type: 'shared' }, now) : next;
}

/** Sets the sharing that a post, an update or a search observed. */
export function withSharingSeen(
  record: RequestRecord,
  result: PostResult | UpdateResult | FindResult,
  now: number,
): RequestRecord {
  return 'inSharedChannel' in result && result.inSharedChannel ? withSharing(record, true, now) : record;
}
