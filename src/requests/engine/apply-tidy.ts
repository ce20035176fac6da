/** Applies the removal of copies of a message. */

import { afterTidy } from '../../outbox/attempt.ts';
import type { CopiesPlace, TidyResult } from '../../outbox/delivery.ts';
import { withPlace } from '../../outbox/message.ts';
import { withDelivery, withMessage } from '../model/changes/messages.ts';
import { withNote } from '../model/changes/notify.ts';
import { deliveryOf } from '../model/facts/messages.ts';
import type { RequestRecord } from '../model/record.ts';
import type { ResultContext } from './apply-posting.ts';

/**
 * Applies a tidy. A copy that was kept in place of the recorded message becomes that message, where it was found. People who
 * voted on another copy are told where to vote.
 */
export function applyTidy(
  record: RequestRecord,
  { messageKey, ...place }: { messageKey: string } & CopiesPlace,
  result: TidyResult,
  { now }: ResultContext,
): RequestRecord {
  const before = deliveryOf(record, messageKey);
  const tidied = withDelivery(record, messageKey, (delivery) => afterTidy(delivery, { place, result, now }));
  if (result.type !== 'tidied') return tidied;
  const { kept, voters, uncounted } = result;
  const isReplaced = kept !== undefined && !(before?.status === 'posted' && before.ts === kept.ts);
  const placed = isReplaced
    ? withMessage(tidied, messageKey, (message) => withPlace(message, kept, place.to))
    : tidied;
  const told = voters
    .filter((voter) => !isTold(record, voter))
    .reduce((next, voter) => withNote(next, { type: 'misplaced_vote', voter }, now), placed);
  if (!isReplaced) return told;
  return uncounted.reduce(
    (next, voter) => withNote(next, { type: 'misplaced_vote', voter, stays: true }, now),
    told,
  );
}

/** A tidy reports the voters of a copy that stays at each try. */
const isTold = ({ messages, approval }: RequestRecord, voter: string): boolean =>
  messages.some(
    (message) =>
      message.type === 'misplaced_vote' &&
      message.voter === voter &&
      !message.stays &&
      message.at >= (approval?.since ?? 0),
  );
