/** Derives the pending effects of each message of a record: to post it, search for it, update it, report or tidy it. */

import { type CopiesPlace, type Delivery, isPending } from '../../outbox/delivery.ts';
import { type Upkeep, updateAtOf } from '../../outbox/upkeep.ts';
import { deliveryOf, messageKeysOf } from './facts/messages.ts';
import { destinationOfNotification, isStillWanted } from './facts/notifications.ts';
import type { MessageKey, TrackedMessage } from './message.ts';
import type { RequestNotification } from './notification.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';

export type MessageEffect =
  | { type: 'post' | 'find' | 'update'; messageKey: MessageKey }
  /** Changes the record alone. */
  | { type: 'report_unclear'; messageKey: MessageKey }
  | ({ type: 'tidy'; messageKey: MessageKey } & CopiesPlace);

/** `at`: when the effect is due, epoch milliseconds. */
export type MessageItem = { effect: MessageEffect; at: number };

export function cardEffects(record: RequestRecord): MessageItem[] {
  const messageKey: MessageKey = { type: 'card' };
  return posting(messageKey, record.card.delivery, isWanted(record, messageKey));
}

/** Posts the approval message only after the card, because it links to the card. */
export function approvalMessageEffects(record: RequestRecord): MessageItem[] {
  const { approval, card } = record;
  if (!approval?.approvalMessage) return [];
  const messageKey: MessageKey = { type: 'approval_message' };
  const isNext = card.delivery.status === 'posted' && isWanted(record, messageKey);
  return posting(messageKey, approval.approvalMessage.delivery, isNext);
}

/** @param isNext whether the message is to be posted now; one that may have been posted is searched for in any case */
function posting(messageKey: MessageKey, delivery: Delivery, isNext = true): MessageItem[] {
  if (delivery.status === 'doubtful')
    return [{ effect: { type: 'find', messageKey }, at: delivery.notBefore }];
  return delivery.status === 'owed' && isNext
    ? [{ effect: { type: 'post', messageKey }, at: delivery.notBefore }]
    : [];
}

export function updateEffects(
  { revision }: Pick<RequestRecord, 'revision'>,
  messageKey: MessageKey,
  message: Upkeep & { delivery: Delivery },
): MessageItem[] {
  const at = message.delivery.status === 'posted' ? updateAtOf(message, revision) : undefined;
  return at === undefined ? [] : [{ effect: { type: 'update', messageKey }, at }];
}

/** Updates the replies that sum up what the service said. */
export function summaryEffects({ steps }: RequestRecord): MessageItem[] {
  return steps.flatMap(({ n, reply }) =>
    reply?.summary
      ? updateEffects(reply.summary, { type: 'reply', n }, { ...reply.summary, delivery: reply.delivery })
      : [],
  );
}

/** Posts replies one by one, in the order of their steps. */
export function replyEffects(record: RequestRecord): MessageItem[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  if (!step?.reply || !isPlaceKnown(record.card, step.reply.to === 'thread')) return [];
  return posting({ type: 'reply', n: step.n }, step.reply.delivery);
}

/**
 * Posts notifications in order, separately for each destination, so that none waits for another destination. One that is
 * no longer wanted is not posted; if it may have been posted, it is still searched for, so that its copies are known.
 */
export function notificationEffects(record: RequestRecord): MessageItem[] {
  const pending = record.notifications.filter(
    (each) =>
      isUnsettled(record, { type: 'notification', n: each.n }, each.delivery) && hasDestination(record, each),
  );
  const nextOf = new Map(
    pending.toReversed().map((notification) => [destinationKey(record, notification), notification]),
  );
  return [...nextOf.values()].flatMap(({ n, delivery }) => posting({ type: 'notification', n }, delivery));
}

export function editEffects({ notifications }: RequestRecord): MessageItem[] {
  return notifications.flatMap(({ n, delivery, edit }): MessageItem[] => {
    if (!edit || delivery.status !== 'posted') return [];
    return [{ effect: { type: 'update', messageKey: { type: 'notification', n } }, at: edit.notBefore }];
  });
}

function destinationKey(record: RequestRecord, notification: RequestNotification): string {
  const destination = destinationOfNotification(record, notification);
  if ('person' in destination) return destination.person;
  if ('channel' in destination) return destination.channel;
  return destination.under === record.card ? 'card' : 'approval_message';
}

function hasDestination(record: RequestRecord, notification: RequestNotification): boolean {
  const destination = destinationOfNotification(record, notification);
  return !('under' in destination) || isPlaceKnown(destination.under, true);
}

/** Reports unclear deliveries of all messages but notifications, which are themselves only supplementary. */
export function unclearEffects(record: RequestRecord, unclearMs: number): MessageItem[] {
  return messageKeysOf(record).flatMap((messageKey): MessageItem[] => {
    const delivery = messageKey.type === 'notification' ? undefined : deliveryOf(record, messageKey);
    if (delivery?.status !== 'doubtful' || delivery.reported) return [];
    return [{ effect: { type: 'report_unclear', messageKey }, at: delivery.since + unclearMs }];
  });
}

/** Comes last: doubtful messages are searched for before settled ones are tidied. */
export function tidyEffects(record: RequestRecord): MessageItem[] {
  return messageKeysOf(record).flatMap((messageKey) => {
    const delivery = deliveryOf(record, messageKey);
    return delivery && !isUnsettled(record, messageKey, delivery) ? tidiesOf(messageKey, delivery) : [];
  });
}

/** Whether a message is still to be searched for or posted. */
const isUnsettled = (record: RequestRecord, messageKey: MessageKey, { status }: Delivery): boolean =>
  status === 'doubtful' || (status === 'owed' && isWanted(record, messageKey));

function isWanted(record: RequestRecord, messageKey: MessageKey): boolean {
  const { slot, votes } = STATES[record.state];
  switch (messageKey.type) {
    case 'card':
      return slot;
    case 'approval_message':
      return votes;
    case 'reply':
      return true;
    case 'notification':
      return record.notifications.some((each) => each.n === messageKey.n && isStillWanted(record, each));
  }
}

function tidiesOf(messageKey: MessageKey, delivery: Delivery): MessageItem[] {
  const { tidies: all = [] } = delivery;
  return all.map(({ to, thread, notBefore }) => ({
    effect: { type: 'tidy', messageKey, to, thread },
    at: notBefore,
  }));
}

/** Whether the destination is known. A thread reply waits until the state of its parent message is certain. */
function isPlaceKnown({ delivery }: TrackedMessage, inThread: boolean): boolean {
  return !inThread || delivery.status === 'posted' || delivery.status === 'given_up';
}
