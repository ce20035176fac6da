/** Applies the removal of copies of a message. */

import { afterTidy } from '../../outbox/attempt.ts';
import type { CopiesPlace, Destination, TidyResult } from '../../outbox/delivery.ts';
import { withDelivery, withReplyAt } from '../model/changes/deliveries.ts';
import { withNotification } from '../model/changes/notify.ts';
import { deliveryOf } from '../model/facts/messages.ts';
import type { MessageKey, TrackedMessage } from '../model/message.ts';
import type { RequestRecord } from '../model/record.ts';
import type { ResultContext } from './apply-posting.ts';
import { withApprovalMessage } from './lost-messages.ts';

/** Applies a tidy. People who voted on another copy are told where to vote. */
export function applyTidy(
  record: RequestRecord,
  { messageKey, ...place }: { messageKey: MessageKey } & CopiesPlace,
  result: TidyResult,
  { now }: ResultContext,
): RequestRecord {
  const before = deliveryOf(record, messageKey);
  const tidied = withDelivery(record, messageKey, (delivery) => afterTidy(delivery, { place, result, now }));
  if (result.type !== 'tidied') return tidied;
  const isReplaced =
    result.kept !== undefined && !(before?.status === 'posted' && before.ts === result.kept.ts);
  const kept = isReplaced ? withNewPlace(tidied, { messageKey, to: place.to }, result.kept) : tidied;
  const notified = result.voters
    .filter((voter) => !isNotified(record, voter))
    .reduce((next, voter) => withNotification(next, { type: 'misplaced_vote', voter }, now), kept);
  if (!isReplaced) return notified;
  return result.uncounted.reduce(
    (next, voter) => withNotification(next, { type: 'misplaced_vote', voter, stays: true }, now),
    notified,
  );
}

/** A tidy reports the voters of a copy that stays at each try. */
const isNotified = ({ notifications, approval }: RequestRecord, voter: string): boolean =>
  notifications.some(
    (each) =>
      each.type === 'misplaced_vote' &&
      each.voter === voter &&
      !each.stays &&
      each.at >= (approval?.since ?? 0),
  );

/**
 * Records the new location after a tidy kept another copy. A card or an approval message may show an older state there;
 * a reply gets the destination where it was found.
 */
function withNewPlace(
  record: RequestRecord,
  { messageKey, to }: { messageKey: MessageKey; to: Destination | undefined },
  location: TrackedMessage['location'],
): RequestRecord {
  if (messageKey.type === 'reply' && to) return withReplyAt(record, messageKey.n, to);
  const moved = (message: TrackedMessage): TrackedMessage => ({ ...message, location, shown: 0 });
  if (messageKey.type === 'card') return { ...record, card: moved(record.card) };
  const { approvalMessage } = record.approval ?? {};
  return messageKey.type === 'approval_message' && approvalMessage
    ? withApprovalMessage(record, moved(approvalMessage))
    : record;
}
