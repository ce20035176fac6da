/** What a record owes to the world, and from when on. Pure: the loop, the sweep and the index all read it from here. */

import { type Delivery, type Destination, isPending } from './delivery.ts';
import { deliveryOf, type MessageKey, messageKeysOf } from './message-key.ts';
import { isStillWanted, type RequestNotification } from './notification.ts';
import { destinationOfNote, type RequestRecord, votedOn } from './record.ts';
import { STATES } from './states.ts';
import type { TrackedMessage } from './tracked-message.ts';
import { queuedSince } from './transition.ts';

/** All in milliseconds. */
export type Timings = {
  /** How long a claim keeps others away. Every deadline of an outside act is shorter than half of it. */
  claimMs: number;
  /** How long Slack is given to show a doubtful post before it is looked for. */
  doubtMs: number;
  /** How long a written request may take to appear in Slack: after that, what stands there is all that ever will. */
  appearMs: number;
  /** After how long the requester is told that it is unclear whether a message stands. */
  unclearMs: number;
  /** After how long a request that could not be sent ends. */
  expiresAfterMs: number;
  /** After how long an admin is told that the approvers can't be confirmed. */
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
  /** Only the record changes. */
  | { type: 'expire_claim' }
  | { type: 'expire' }
  | { type: 'remind' }
  | { type: 'report_unconfirmed' }
  | { type: 'tell_unclear'; messageKey: MessageKey }
  | { type: 'post' | 'find' | 'update'; messageKey: MessageKey }
  | { type: 'tidy'; messageKey: MessageKey; to: Destination | undefined }
  | { type: 'confirm_votes' }
  | { type: 'call' };

type Item = { act: Effect; at: number };

/** The next thing owed. `until`: when something is owed that is not due yet; undefined where only what waits is left. */
export type NextEffect =
  | { type: 'act'; act: Effect }
  | { type: 'wait'; until: number | undefined }
  | { type: 'nothing' };

/**
 * @param now epoch milliseconds by the store's clock
 * @param mayBe whether an act may be done now; what may not holds up nothing that is ready behind it
 */
export function nextEffect(
  record: RequestRecord,
  now: number,
  timings: Timings,
  mayBe: (act: Effect) => boolean = () => true,
): NextEffect {
  const all = pendingEffects(record, timings);
  if (all.length === 0) return { type: 'nothing' };
  const items = all.filter(({ act }) => mayBe(act));
  const ready = items.find(({ at }) => at <= now);
  return ready ? { type: 'act', act: ready.act } : { type: 'wait', until: earliest(items) };
}

/** When something is owed next, epoch milliseconds; undefined where all is done. The store's `due` index. */
export function dueAt(record: RequestRecord, timings: Timings): number | undefined {
  return earliest(pendingEffects(record, timings));
}

const earliest = (items: readonly Item[]): number | undefined =>
  items.length === 0 ? undefined : Math.min(...items.map(({ at }) => at));

/**
 * All that is owed, the most urgent first: the card before the approvers are asked and before the call (invariant 8),
 * the call before the card is touched again, and the card's update before the reply, so that a deleted card is mostly
 * noticed before a reply goes to its thread. What has to wait holds nobody up.
 */
function pendingEffects(record: RequestRecord, timings: Timings): Item[] {
  if (record.claim) return [{ act: { type: 'expire_claim' }, at: record.claim.expiresAt }];
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
    ...nextNotes(record),
    ...unclear(record, timings),
    ...tidies(record),
  ];
}

function expire(record: RequestRecord, timings: Timings): Item[] {
  const { state, approval } = record;
  if (state === 'queued')
    return [{ act: { type: 'expire' }, at: queuedSince(record) + timings.expiresAfterMs }];
  if (state !== 'awaiting_approval' || !approval) return [];
  return [{ act: { type: 'expire' }, at: approval.since + approval.policy.expiresAfterMs }];
}

/** Once, at half of the time that the approvers have, and only where there is something to react to. */
function reminder(record: RequestRecord): Item[] {
  const { state, approval } = record;
  if (state !== 'awaiting_approval' || !approval?.policy.reminds || approval.reminded) return [];
  if (votedOn(record).delivery.status !== 'posted') return [];
  return [{ act: { type: 'remind' }, at: approval.since + approval.policy.expiresAfterMs / 2 }];
}

function card({ card: { delivery }, state }: RequestRecord): Item[] {
  return posting({ type: 'card' }, { delivery, isWanted: STATES[state].slot });
}

/** The approvers are shown what has a card already: they follow its link. */
function approvalMessage({ approval, card: { delivery }, state }: RequestRecord): Item[] {
  if (!approval?.approvalMessage) return [];
  const isWanted = state === 'awaiting_approval' && delivery.status === 'posted';
  return posting({ type: 'approval_message' }, { delivery: approval.approvalMessage.delivery, isWanted });
}

function posting(
  messageKey: MessageKey,
  { delivery, isWanted }: { delivery: TrackedMessage['delivery']; isWanted: boolean },
): Item[] {
  if (delivery.status === 'doubtful') return [{ act: { type: 'find', messageKey }, at: delivery.notBefore }];
  const isOwed = delivery.status === 'owed' && isWanted;
  return isOwed ? [{ act: { type: 'post', messageKey }, at: delivery.notBefore }] : [];
}

/**
 * Before approvals decide, what stands in Slack is read. It may take a while, so the message that is voted on is updated
 * first: it says that the approvers are being checked.
 */
function confirmation(record: RequestRecord, { unconfirmedMs }: Timings): Item[] {
  const { approval, state } = record;
  const { confirmation: owed, problem } = approval ?? {};
  const post = votedOn(record);
  if (state !== 'awaiting_approval' || !owed || post.delivery.status !== 'posted') return [];
  const report: Item[] = problem
    ? []
    : [{ act: { type: 'report_unconfirmed' }, at: owed.since + unconfirmedMs }];
  const messageKey: MessageKey = { type: approval?.approvalMessage ? 'approval_message' : 'card' };
  return [
    ...report,
    ...update(record, messageKey, post),
    { act: { type: 'confirm_votes' }, at: owed.notBefore },
  ];
}

function call(record: RequestRecord): Item[] {
  const ready = record.state === 'queued' && record.card.delivery.status === 'posted';
  return ready ? [{ act: { type: 'call' }, at: record.call.notBefore }] : [];
}

function update({ revision }: RequestRecord, messageKey: MessageKey, post: TrackedMessage): Item[] {
  const { delivery, shown, updateAt, refreshAt } = post;
  if (delivery.status !== 'posted') return [];
  if (shown < revision) return [{ act: { type: 'update', messageKey }, at: updateAt }];
  return refreshAt === undefined
    ? []
    : [{ act: { type: 'update', messageKey }, at: Math.max(updateAt, refreshAt) }];
}

/** Replies are posted one after the other, in the order of their steps. */
function firstReply(record: RequestRecord): Item[] {
  const step = record.steps.find(({ reply }) => reply && isPending(reply.delivery));
  if (!step?.reply || !hasPlace(record.card, step.reply.to === 'thread')) return [];
  return posting({ type: 'reply', n: step.n }, { delivery: step.reply.delivery, isWanted: true });
}

/** In the order in which they were written, to each destination by itself: none waits for what goes elsewhere. */
function nextNotes(record: RequestRecord): Item[] {
  const pending = record.notifications.filter(
    (each) => isPending(each.delivery) && isStillWanted(record, each) && hasDestination(record, each),
  );
  const nextOf = new Map(
    pending.toReversed().map((notification) => [destinationKey(record, notification), notification]),
  );
  return [...nextOf.values()].flatMap(({ n, delivery }) =>
    posting({ type: 'notification', n }, { delivery, isWanted: true }),
  );
}

function destinationKey(record: RequestRecord, notification: RequestNotification): string {
  const destination = destinationOfNote(record, notification);
  if ('person' in destination) return destination.person;
  if ('channel' in destination) return destination.channel;
  return destination.under === record.card ? 'card' : 'approval_message';
}

function hasDestination(record: RequestRecord, notification: RequestNotification): boolean {
  const destination = destinationOfNote(record, notification);
  return !('under' in destination) || hasPlace(destination.under, true);
}

/** Nobody is told about a notification: it is told on the side itself. */
function unclear(record: RequestRecord, { unclearMs }: Timings): Item[] {
  return messageKeysOf(record).flatMap((messageKey): Item[] => {
    const delivery = messageKey.type === 'notification' ? undefined : deliveryOf(record, messageKey);
    if (delivery?.status !== 'doubtful' || delivery.told) return [];
    return [{ act: { type: 'tell_unclear', messageKey }, at: delivery.since + unclearMs }];
  });
}

/** Last of all: what is in doubt is looked for before what is settled is tidied. */
function tidies(record: RequestRecord): Item[] {
  return messageKeysOf(record).flatMap((messageKey) => {
    const delivery = deliveryOf(record, messageKey);
    return delivery ? tidiesOf(messageKey, delivery) : [];
  });
}

function tidiesOf(messageKey: MessageKey, delivery: Delivery): Item[] {
  if (isPending(delivery)) return [];
  const { tidies: all = [] } = delivery;
  return all.map(({ to, notBefore }) => ({ act: { type: 'tidy', messageKey, to }, at: notBefore }));
}

/** What goes into a thread waits until it is known whether the message that opens it stands. */
function hasPlace({ delivery }: TrackedMessage, inThread: boolean): boolean {
  return !inThread || delivery.status === 'posted' || delivery.status === 'given_up';
}
