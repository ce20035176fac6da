/**
 * Derives the pending effects of a record and when each is due. The loop, the sweep and the index all read them from
 * here.
 */

import { deliveryOf, messageKeysOf, votedOn } from './facts/messages.ts';
import { destinationOfNotification, isStillWanted } from './facts/notifications.ts';
import { type Delivery, type Destination, isPending } from './messages/delivery.ts';
import type { MessageKey, TrackedMessage } from './messages/message.ts';
import type { RequestNotification } from './notification.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';
import { queuedSince } from './transition.ts';

/** All in milliseconds. */
export type Timings = {
  /** Lifetime of a claim. Every deadline of an effect is shorter than half of it. */
  claimMs: number;
  /** Wait before searching for a doubtful post. */
  doubtMs: number;
  /** The longest time that a written request may take to appear in Slack. After that, no further copy appears. */
  appearMs: number;
  /** Wait before the requester learns that a delivery is unclear. */
  unclearMs: number;
  /** Wait before a request that could not be sent expires. */
  expiresAfterMs: number;
  /** Wait before an admin learns that the votes can't be confirmed. */
  unconfirmedMs: number;
};

export const TIMINGS: Timings = {
  claimMs: 60_000,
  doubtMs: 30_000,
  appearMs: 5 * 60_000,
  unclearMs: 10 * 60_000,
  expiresAfterMs: 15 * 60_000,
  unconfirmedMs: 30_000,
};

export type Effect =
  /** Changes the record alone, nothing outside. */
  | { type: 'expire_claim' }
  | { type: 'expire' }
  | { type: 'remind' }
  | { type: 'report_unconfirmed' }
  | { type: 'report_unclear'; messageKey: MessageKey }
  | { type: 'post' | 'find' | 'update'; messageKey: MessageKey }
  | { type: 'tidy'; messageKey: MessageKey; to: Destination | undefined }
  | { type: 'confirm_votes' }
  | { type: 'call' };

type Item = { effect: Effect; at: number };

/** The next pending effect. `until`: when the next effect is due; undefined if only excluded effects remain. */
export type NextEffect =
  | { type: 'effect'; effect: Effect }
  | { type: 'wait'; until: number | undefined }
  | { type: 'nothing' };

/**
 * @param now epoch milliseconds by the store's clock
 * @param isAllowed whether an effect may be done now; what may not holds up nothing that is ready behind it
 */
export function nextEffect(
  record: RequestRecord,
  now: number,
  timings: Timings,
  isAllowed: (effect: Effect) => boolean = () => true,
): NextEffect {
  const all = pendingEffects(record, timings);
  if (all.length === 0) return { type: 'nothing' };
  const items = all.filter(({ effect }) => isAllowed(effect));
  const ready = items.find(({ at }) => at <= now);
  return ready ? { type: 'effect', effect: ready.effect } : { type: 'wait', until: earliest(items) };
}

/** Returns when the next effect is due, epoch milliseconds; undefined if none is pending. The store's `due` index. */
export function dueAt(record: RequestRecord, timings: Timings): number | undefined {
  return earliest(pendingEffects(record, timings));
}

const earliest = (items: readonly Item[]): number | undefined =>
  items.length === 0 ? undefined : Math.min(...items.map(({ at }) => at));

/**
 * Lists all pending effects, the most urgent first: the card before the approval message and before the call (promise
 * 8), the call before any update of the card, and the card's update before the reply, so that a deleted card is usually
 * noticed before a reply goes to its thread. An effect that must wait does not block the others.
 */
function pendingEffects(record: RequestRecord, timings: Timings): Item[] {
  if (record.claim) return [{ effect: { type: 'expire_claim' }, at: record.claim.expiresAt }];
  return [
    ...expire(record, timings),
    ...reminder(record),
    ...card(record),
    ...approvalMessage(record),
    ...confirmation(record, timings),
    ...call(record),
    ...update(record, { type: 'card' }, record.card),
    ...(record.approval?.approvalMessage
      ? update(record, { type: 'approval_message' }, record.approval.approvalMessage)
      : []),
    ...firstReply(record),
    ...nextNotifications(record),
    ...edits(record),
    ...unclear(record, timings),
    ...tidies(record),
  ];
}

function expire(record: RequestRecord, timings: Timings): Item[] {
  const { state, approval } = record;
  const { expiry } = STATES[state];
  if (expiry === 'queue')
    return [{ effect: { type: 'expire' }, at: queuedSince(record) + timings.expiresAfterMs }];
  if (expiry === undefined || !approval) return [];
  return [{ effect: { type: 'expire' }, at: approval.since + approval.policy.expiresAfterMs }];
}

/** Reminds the approvers once, at half of their time, and only if a message to react to exists. */
function reminder(record: RequestRecord): Item[] {
  const { state, approval } = record;
  if (!STATES[state].votes || !approval?.policy.reminds || approval.reminded) return [];
  if (votedOn(record).delivery.status !== 'posted') return [];
  return [{ effect: { type: 'remind' }, at: approval.since + approval.policy.expiresAfterMs / 2 }];
}

function card(record: RequestRecord): Item[] {
  const messageKey: MessageKey = { type: 'card' };
  return posting(messageKey, record.card.delivery, isWanted(record, messageKey));
}

/** Posts the approval message only after the card, because it links to the card. */
function approvalMessage(record: RequestRecord): Item[] {
  const { approval, card } = record;
  if (!approval?.approvalMessage) return [];
  const messageKey: MessageKey = { type: 'approval_message' };
  const isNext = card.delivery.status === 'posted' && isWanted(record, messageKey);
  return posting(messageKey, approval.approvalMessage.delivery, isNext);
}

/** @param isNext whether the message is to be posted now; one that may have been posted is searched for in any case */
function posting(messageKey: MessageKey, delivery: Delivery, isNext = true): Item[] {
  if (delivery.status === 'doubtful')
    return [{ effect: { type: 'find', messageKey }, at: delivery.notBefore }];
  return delivery.status === 'owed' && isNext
    ? [{ effect: { type: 'post', messageKey }, at: delivery.notBefore }]
    : [];
}

/**
 * Confirms the votes in Slack before they decide. This may take a while, so the message with the votes is updated
 * first: it says that the approvers are being checked.
 */
function confirmation(record: RequestRecord, { unconfirmedMs }: Timings): Item[] {
  const { approval, state } = record;
  const { confirmation: owed, problem } = approval ?? {};
  const message = votedOn(record);
  if (!STATES[state].votes || !owed || message.delivery.status !== 'posted') return [];
  const report: Item[] = problem
    ? []
    : [{ effect: { type: 'report_unconfirmed' }, at: owed.since + unconfirmedMs }];
  const messageKey: MessageKey = { type: approval?.approvalMessage ? 'approval_message' : 'card' };
  return [
    ...report,
    ...update(record, messageKey, message),
    { effect: { type: 'confirm_votes' }, at: owed.notBefore },
  ];
}

function call(record: RequestRecord): Item[] {
  const ready = record.state === 'queued' && record.card.delivery.status === 'posted';
  return ready ? [{ effect: { type: 'call' }, at: record.call.notBefore }] : [];
}

function update({ revision }: RequestRecord, messageKey: MessageKey, message: TrackedMessage): Item[] {
  const { delivery, shown, updateAt, refreshAt } = message;
  if (delivery.status !== 'posted') return [];
  if (shown < revision) return [{ effect: { type: 'update', messageKey }, at: updateAt }];
  return refreshAt === undefined
    ? []
    : [{ effect: { type: 'update', messageKey }, at: Math.max(updateAt, refreshAt) }];
}

/** Posts replies one by one, in the order of their steps. */
function firstReply(record: RequestRecord): Item[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  if (!step?.reply || !isPlaceKnown(record.card, step.reply.to === 'thread')) return [];
  return posting({ type: 'reply', n: step.n }, step.reply.delivery);
}

/**
 * Posts notifications in order, separately for each destination, so that none waits for another destination. One that is
 * no longer wanted is not posted; if it may have been posted, it is still searched for, so that its copies are known.
 */
function nextNotifications(record: RequestRecord): Item[] {
  const pending = record.notifications.filter(
    (each) =>
      isUnsettled(record, { type: 'notification', n: each.n }, each.delivery) && hasDestination(record, each),
  );
  const nextOf = new Map(
    pending.toReversed().map((notification) => [destinationKey(record, notification), notification]),
  );
  return [...nextOf.values()].flatMap(({ n, delivery }) => posting({ type: 'notification', n }, delivery));
}

function edits({ notifications }: RequestRecord): Item[] {
  return notifications.flatMap(({ n, delivery, edit }): Item[] => {
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
function unclear(record: RequestRecord, { unclearMs }: Timings): Item[] {
  return messageKeysOf(record).flatMap((messageKey): Item[] => {
    const delivery = messageKey.type === 'notification' ? undefined : deliveryOf(record, messageKey);
    if (delivery?.status !== 'doubtful' || delivery.reported) return [];
    return [{ effect: { type: 'report_unclear', messageKey }, at: delivery.since + unclearMs }];
  });
}

/** Comes last: doubtful messages are searched for before settled ones are tidied. */
function tidies(record: RequestRecord): Item[] {
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

function tidiesOf(messageKey: MessageKey, delivery: Delivery): Item[] {
  const { tidies: all = [] } = delivery;
  return all.map(({ to, notBefore }) => ({ effect: { type: 'tidy', messageKey, to }, at: notBefore }));
}

/** Whether the destination is known. A thread reply waits until the state of its parent message is certain. */
function isPlaceKnown({ delivery }: TrackedMessage, inThread: boolean): boolean {
  return !inThread || delivery.status === 'posted' || delivery.status === 'given_up';
}
