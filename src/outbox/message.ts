/**
 * One message of a record in Slack, whatever it is about: where it goes, its delivery, which copies may still appear, and what
 * is pending for it. A message that is kept up to date also has the revision that it shows, the time of its next update, and
 * whether an earlier update may still overwrite newer content. What a message says is decided in slack/messages/content.
 */
import { z } from 'zod';
import { type CopiesPlace, Delivery, Destination, owed, type UpdateResult } from './delivery.ts';
import { type PendingEffect, retryAt, retryRefusedAt } from './record-type.ts';

export const UpkeepFields = {
  /** The revision that the message shows. */
  shown: z.number(),
  /** The failed updates in a row. */
  updateTries: z.number(),
  /** The earliest time of the next update. */
  updateAt: z.number(),
  /** The time of one more update: until then an earlier update may still arrive. */
  refreshAt: z.number().optional(),
  /** The revision that Slack has refused to show, since when, and when it is tried again (`nextAt` undefined: never). */
  refused: z.object({ revision: z.number(), since: z.number(), nextAt: z.number().optional() }).optional(),
};

export type Upkeep = z.infer<z.ZodObject<typeof UpkeepFields>>;

export const MessageFields = {
  /** Names the message in its record, in the log and in its metadata in Slack, by which copies are found. */
  key: z.string(),
  /** The time at which the message was first owed. A card in place of a former one has a time of its own. */
  at: z.number(),
  delivery: Delivery,
  /** The present destination; undefined: where such a message goes first. */
  to: Destination.optional(),
  /** The last known location. It stays after the message is gone, because its thread may still hold replies. */
  location: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** Present while the message is kept up to date. `revision`: the revision that it must show; undefined: the record's. */
  upkeep: z.object({ ...UpkeepFields, revision: z.number().optional() }).optional(),
};
export type Message = z.infer<z.ZodObject<typeof MessageFields>>;

/** The effects on a message in Slack, which take a claim and tokens of Slack's limits. */
export const MESSAGE_EFFECTS = ['post', 'find', 'update', 'tidy'] as const;
export type MessageEffect = (typeof MESSAGE_EFFECTS)[number];

export type PostingEffect = { type: Exclude<MessageEffect, 'tidy'>; messageKey: string };
export type TidyEffect = { type: 'tidy'; messageKey: string } & CopiesPlace;

/**
 * Whether people see an effect on a message, so that its claim must survive a failover (`Begun` in record-type.ts). A search
 * or a check of votes only reads. A tidy is seen, too, but a repeated one does no harm: it does not find a copy again that it has
 * deleted or turned into a link.
 */
export const isSeenEffect = (effect: string): boolean => effect === 'post' || effect === 'update';

export const newUpkeep = (now: number): Upkeep => ({ shown: 0, updateTries: 0, updateAt: now });

export const newMessage = (key: string, now: number) =>
  ({ key, at: now, delivery: owed(now) }) satisfies Message;

/** A message that is kept up to date. */
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
 * Records the delivery of a message and, once it is posted, its location.
 *
 * @param keeping `shown`: the revision that the message shows if it is posted now; 0 if that is not known. `updateAt`: when it
 * may be updated then
 */
export function withDelivered<M extends Message>(
  message: M,
  delivery: Delivery,
  keeping: { shown: number; updateAt: number },
): M {
  if (delivery.status !== 'posted') return { ...message, delivery };
  const { channel, ts } = delivery;
  return withUpkeep({ ...message, delivery, location: { channel, ts } }, (upkeep) => ({
    ...upkeep,
    ...keeping,
  }));
}

/** Owes an update of a message, whatever it shows by now, and whatever Slack has refused to show. */
export const shownAnew = <U extends Upkeep>(upkeep: U): U => ({ ...upkeep, shown: 0, refused: undefined });

/** Records that another copy has taken the place of a message. It may show an older state. */
export const withPlace = <M extends Message>(
  message: M,
  location: Message['location'],
  to: Destination | undefined,
): M => withUpkeep({ ...message, location, to }, shownAnew);

/** Changes the upkeep of a message, if it is kept up to date. */
export const withUpkeep = <M extends Message>(message: M, change: (upkeep: Upkeep) => Upkeep): M =>
  message.upkeep ? { ...message, upkeep: change(message.upkeep) } : message;

/**
 * An update that was tried. `rendered`: the revision that it shows. `startedAt`: when it was claimed. `apartMs`: changes
 * within this time become one update at its end, so that a busy message takes few calls.
 */
export type Updating = {
  rendered: number;
  startedAt: number;
  now: number;
  appearMs: number;
  apartMs: number;
};

/** Whether Slack has refused to show a revision. */
export const isRefused = ({ shown, refused }: Upkeep, revision: number): boolean =>
  shown < revision && refused !== undefined && refused.revision >= revision;

/** Whether a message shows a revision, or Slack has refused to show it: no update needs to be waited for. */
export const isTried = (upkeep: Upkeep, revision: number): boolean =>
  upkeep.shown >= revision || isRefused(upkeep, revision);

/** Returns when a posted message is to be updated; undefined: it shows this revision, or will not. */
export function updateAtOf(upkeep: Upkeep, revision: number): number | undefined {
  const { shown, updateAt, refreshAt, refused } = upkeep;
  if (!isTried(upkeep, revision)) return updateAt;
  const againAt = shown < revision ? refused?.nextAt : refreshAt;
  return againAt === undefined ? undefined : Math.max(updateAt, againAt);
}

/** The time after which a message is updated again in a channel that was archived, or that the bot has left. */
const OUT_OF_REACH_MS = 60 * 60_000;

/** Applies an update of a message that still exists. Repeating an update does no harm, so doubt counts as a delay. */
export function afterUpdate<U extends Upkeep>(
  upkeep: U,
  result: Exclude<UpdateResult, { type: 'gone' }>,
  { rendered, startedAt, now, appearMs, apartMs }: Updating,
): U {
  switch (result.type) {
    case 'posted':
      return {
        ...refreshed(upkeep, startedAt),
        shown: rendered,
        updateTries: 0,
        updateAt: now + apartMs,
        refused: undefined,
      };
    case 'kept':
    case 'out_of_reach': {
      const { refused } = upkeep;
      const since = refused?.revision === rendered ? refused.since : now;
      const nextAt = result.type === 'kept' ? retryRefusedAt(now, since) : now + OUT_OF_REACH_MS;
      // Only an extra update is of a revision that was shown already: then nobody knows what the message shows. A new revision is
      // tried before `nextAt`.
      return { ...upkeep, shown: 0, updateAt: now + apartMs, refused: { revision: rendered, since, nextAt } };
    }
    case 'later':
      return updatePostponed(upkeep, now, result.retryAfterMs);
    case 'doubtful':
      return refreshedAfter(updatePostponed(upkeep, now), now + appearMs);
  }
}

/** Whether an update may have changed the message: then it is applied even if its claim was taken over. */
export const mayBeWritten = ({ type }: UpdateResult): boolean => type === 'posted' || type === 'doubtful';

/** Applies an update whose claim was taken over: it may have overwritten newer content, or may do so soon. */
export function afterLateUpdate<U extends Upkeep>(
  upkeep: U,
  { type }: UpdateResult,
  { now, appearMs }: Pick<Updating, 'now' | 'appearMs'>,
): U {
  const anew = shownAnew(upkeep);
  return type === 'doubtful' ? refreshedAfter(anew, now + appearMs) : anew;
}

function updatePostponed<U extends Upkeep>(upkeep: U, now: number, retryAfterMs?: number): U {
  const updateTries = upkeep.updateTries + 1;
  return { ...upkeep, updateTries, updateAt: retryAt(now, updateTries, retryAfterMs) };
}

/** Owes one more update: an earlier one may still arrive until then, and overwrite newer content. */
function refreshedAfter<U extends Upkeep>(upkeep: U, at: number): U {
  return { ...upkeep, refreshAt: Math.max(upkeep.refreshAt ?? at, at) };
}

/** Drops the extra update if the present one began late enough to serve as it. */
function refreshed<U extends Upkeep>(upkeep: U, startedAt: number): U {
  const { refreshAt, ...rest } = upkeep;
  return refreshAt === undefined || startedAt < refreshAt ? upkeep : (rest as U);
}
