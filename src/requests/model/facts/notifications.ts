/** Decides where a notification goes, and whether it is still needed. */
import { isPending } from '../../../outbox/delivery.ts';
import type { MessageKey, TrackedMessage } from '../message.ts';
import type { RequestNotification } from '../notification.ts';
import { type RequestRecord, threadUnderCard } from '../record.ts';
import { STATES } from '../states.ts';
import { byNumber, deliveryOf, destinationOfReply, votedOn } from './messages.ts';

/** The destination of a notification: the thread of a message, one person or, if that is refused, a channel. */
export function destinationOfNotification(
  record: RequestRecord,
  notification: RequestNotification,
): { under: TrackedMessage } | { person: string } | { channel: string } {
  if (notification.inChannel) return { channel: record.channel };
  switch (notification.type) {
    case 'reason':
    case 'admin_unreachable':
    case 'shared':
      return { under: record.card };
    case 'reminder':
    case 'approval_requested_again':
      return { under: votedOn(record) };
    case 'reason_wanted':
      return { person: record.approval?.decision?.by[0] ?? record.requester };
    case 'alarm':
      return { person: record.approval?.policy.setBy ?? record.requester };
    case 'card_delayed':
    case 'unclear':
      return { person: record.requester };
    case 'misplaced_vote':
      return { person: notification.voter };
  }
}

/** The timestamp of the message that a reply or a notification is posted under; undefined: none, or not known yet. */
export function threadOf(record: RequestRecord, messageKey: MessageKey): string | undefined {
  if (messageKey.type === 'reply')
    return destinationOfReply(record, messageKey) === 'thread' ? threadUnderCard(record) : undefined;
  if (messageKey.type !== 'notification') return undefined;
  const destination = destinationOfNotification(record, byNumber(record.notifications, messageKey.n));
  return 'under' in destination ? threadUnder(record, destination.under) : undefined;
}

/** The thread of a message that is voted on or of the card: a reply of a thread has none of its own. */
export const threadUnder = (record: RequestRecord, message: TrackedMessage): string | undefined =>
  message === record.card ? threadUnderCard(record) : message.location?.ts;

/** Whether a notification is still relevant. */
export function isStillWanted(record: RequestRecord, notification: RequestNotification): boolean {
  const { state, approval } = record;
  switch (notification.type) {
    case 'reminder':
    case 'approval_requested_again':
    case 'alarm':
    case 'admin_unreachable':
    case 'misplaced_vote':
      return STATES[state].votes;
    case 'shared':
      return STATES[state].slot;
    case 'reason_wanted':
      return state === 'declined' && approval?.decision?.reason === undefined;
    case 'card_delayed':
      return STATES[state].slot && isPending(record.card.delivery);
    case 'unclear':
      return deliveryOf(record, notification.about)?.status === 'doubtful';
    case 'reason':
      return true;
  }
}
