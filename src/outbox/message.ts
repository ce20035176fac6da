/**
 * One message of a record in Slack, whatever it is about: where it goes, how far its delivery is, which copies may still
 * appear, and what is pending for it. What it says is decided by its feature.
 */
import { z } from 'zod';
import { type CopiesPlace, Delivery, Destination, owed } from './delivery.ts';
import type { PendingEffect } from './record-type.ts';
import { newUpkeep, type Upkeep, UpkeepFields, updateAtOf } from './upkeep.ts';

export const MessageFields = {
  /** Names the message in its record, in the log and in its metadata in Slack, by which copies are found. */
  key: z.string(),
  delivery: Delivery,
  /** The present destination; undefined: the message has only one. */
  to: Destination.optional(),
  /** The last known location. It stays after the message is gone, because its thread may still hold replies. */
  location: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** Present while the message is kept up to date. `revision`: the one that it must show; undefined: the record's. */
  upkeep: z.object({ ...UpkeepFields, revision: z.number().optional() }).optional(),
};
const Message = z.object(MessageFields);
export type Message = z.infer<typeof Message>;

export type PostingEffect = { type: 'post' | 'find' | 'update'; messageKey: string };
export type TidyEffect = { type: 'tidy'; messageKey: string } & CopiesPlace;

/** @param now epoch milliseconds */
export const newMessage = (key: string, now: number) => ({ key, delivery: owed(now) }) satisfies Message;

/** A message that is kept up to date. @param now epoch milliseconds */
export const newKeptMessage = (key: string, now: number) =>
  ({ ...newMessage(key, now), upkeep: newUpkeep(now) }) satisfies Message;

/**
 * Lists the post of a message, or the search for it.
 *
 * @param isNext whether the message may be posted now; a message that may be in Slack already is searched for in any case
 */
export function postingOf({ key, delivery }: Message, isNext = true): PendingEffect<PostingEffect>[] {
  if (delivery.status === 'doubtful')
    return [{ effect: { type: 'find', messageKey: key }, at: delivery.notBefore }];
  return delivery.status === 'owed' && isNext
    ? [{ effect: { type: 'post', messageKey: key }, at: delivery.notBefore }]
    : [];
}

/** Lists the update of a posted message that shows an older revision. @param revision the present one of the record */
export function updateOf(
  { key, delivery, upkeep }: Message,
  revision: number,
): PendingEffect<PostingEffect>[] {
  if (!upkeep || delivery.status !== 'posted') return [];
  const at = updateAtOf(upkeep, upkeep.revision ?? revision);
  return at === undefined ? [] : [{ effect: { type: 'update', messageKey: key }, at }];
}

export const tidiesOf = ({ key, delivery: { tidies = [] } }: Message): PendingEffect<TidyEffect>[] =>
  tidies.map(({ to, thread, notBefore }) => ({
    effect: { type: 'tidy', messageKey: key, to, thread },
    at: notBefore,
  }));

/**
 * @param keeping `shown`: the revision that the message shows if it is posted now; 0 if that is not known. `updateAt`: when it
 * may be updated then, epoch milliseconds
 */
export function withDelivered<M extends Message>(
  message: M,
  delivery: Delivery,
  keeping: { shown: number; updateAt: number },
): M {
  if (delivery.status !== 'posted') return { ...message, delivery };
  const { channel, ts } = delivery;
  return withUpkeep({ ...message, delivery, location: { channel, ts } }, keeping);
}

/** Records that another copy has taken the place of a message. It may show an older state. */
export const withPlace = <M extends Message>(
  message: M,
  location: Message['location'],
  to?: Destination,
): M => withUpkeep({ ...message, location, ...(to && { to }) }, { shown: 0 });

const withUpkeep = <M extends Message>(message: M, changes: Partial<Upkeep>): M =>
  message.upkeep ? { ...message, upkeep: { ...message.upkeep, ...changes } } : message;
