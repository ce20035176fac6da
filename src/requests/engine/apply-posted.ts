/** Applies the results of posting replies and notifications, and of changing a notification. */

import { withNotification } from '../model/changes/notify.ts';
import {
  type Delivery,
  type Destination,
  type Found,
  isPending,
  owed,
  type Posting,
  retryAt,
  type Updating,
} from '../model/messages/delivery.ts';
import type { RequestNotification } from '../model/notification.ts';
import type { RequestRecord } from '../model/record.ts';

/** The next destination after a refusal: from the thread to the requester directly, then to the channel. */
const INSTEAD: Readonly<Record<Destination, Destination | undefined>> = {
  thread: 'requester',
  requester: 'channel',
  channel: undefined,
};

/** Applies the result of posting, or searching for, the reply of step `n`. */
export function applyReply(
  record: RequestRecord,
  n: number,
  { result, after, now }: { result: Posting | Found; after: Delivery; now: number },
): RequestRecord {
  const cardIsGone = record.card.delivery.status === 'given_up';
  const steps = record.steps.map((step) => {
    const { reply } = step;
    if (step.n !== n || !reply || !isPending(reply.delivery)) return step;
    const isLost = result.type === 'absent' && cardIsGone && reply.to === 'thread';
    const to = after.status === 'given_up' || isLost ? INSTEAD[reply.to] : undefined;
    if (to === undefined) return { ...step, reply: { ...reply, delivery: after } };
    return { ...step, reply: { to, delivery: { ...owed(now), ...owing(after) } } };
  });
  return { ...record, steps };
}

/**
 * Applies the result of posting, or searching for, notification `n`. If its recipient takes no direct messages, it goes
 * to the channel, or somebody else is notified. Otherwise it is given up: the card shows the same.
 */
export function applyNotification(
  record: RequestRecord,
  n: number,
  after: Delivery,
  now: number,
): RequestRecord {
  const given = record.notifications.find((notification) => notification.n === n);
  const isRefused = after.status === 'given_up';
  const goesOn = isRefused && given && isForChannel(given);
  const again = { delivery: { ...owed(now), ...owing(after) }, inChannel: true as const };
  const change = goesOn ? again : { delivery: after };
  const notifications = record.notifications.map((notification) =>
    notification.n === n ? { ...notification, ...change } : notification,
  );
  const applied = { ...record, notifications };
  return isRefused && given?.type === 'alarm'
    ? withNotification(applied, { type: 'admin_unreachable' }, now)
    : applied;
}

/**
 * Applies the result of changing notification `n`. Each attempt writes the same, so doubt counts as delay; where nobody
 * can see the message any more, or Slack does not let it be changed, nothing is left to do.
 */
export function applyEdit(record: RequestRecord, n: number, result: Updating, now: number): RequestRecord {
  const notifications = record.notifications.map((notification) => {
    const { edit, ...rest } = notification;
    if (notification.n !== n || !edit) return notification;
    if (result.type !== 'later' && result.type !== 'doubtful') return rest;
    const tries = edit.tries + 1;
    const retryAfterMs = result.type === 'later' ? result.retryAfterMs : undefined;
    return { ...rest, edit: { tries, notBefore: retryAt(now, tries, retryAfterMs) } };
  });
  return { ...record, notifications };
}

const isForChannel = ({ type, inChannel }: RequestNotification): boolean =>
  !inChannel && (type === 'unclear' || type === 'misplaced_vote');

const owing = ({ tidies }: Delivery) => (tidies ? { tidies } : {});
