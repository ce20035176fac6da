/**
 * Declares the delivery of one message to Slack, and the results of its effects. If nobody knows whether a post arrived, the bot
 * searches for the message before it posts again. If an earlier attempt may still appear after another message was posted, the
 * delivery owes a tidy: all copies but one are removed later (promise 3).
 */
import { z } from 'zod';

/** The progress of a search, as a Slack timestamp: everything newer (in a channel) or older (in a thread) has been read. */
const Bound = z.string();

/** The destination of a reply or a note: the card's thread, else the requester directly, else the channel. */
export const Destination = z.enum(['thread', 'requester', 'channel']);
export type Destination = z.infer<typeof Destination>;

/**
 * The thread of an attempt, as the timestamp of its parent. A copy may have replaced the card since, and that has another
 * thread.
 */
const Thread = z.string();

/** Copies that may still appear, from attempts between `since` and `until`. `to`: the destination, of a reply or a note. */
export const Tidy = z.object({
  to: Destination.optional(),
  thread: Thread.optional(),
  since: z.number(),
  until: z.number(),
  tries: z.number(),
  notBefore: z.number(),
  /** Progress of the search, and the copies found so far. */
  bound: Bound.optional(),
  found: z.array(z.string()).optional(),
});
export type Tidy = z.infer<typeof Tidy>;

/** The place of copies: a message has one tidy for each place. */
export type CopiesPlace = { to: Destination | undefined; thread: string | undefined };

export const tidyAt = (tidies: readonly Tidy[] | undefined, { to, thread }: CopiesPlace): Tidy | undefined =>
  tidies?.find((tidy) => tidy.to === to && tidy.thread === thread);

const Retrying = { tries: z.number(), notBefore: z.number() };
const Owing = { tidies: z.array(Tidy).optional() };

export const Delivery = z.discriminatedUnion('status', [
  z.object({ status: z.literal('owed'), ...Retrying, ...Owing }),
  /** The message may be in Slack already. `since` and `until`: when the call that posts it may have been written. */
  z.object({
    status: z.literal('doubtful'),
    ...Retrying,
    since: z.number(),
    until: z.number(),
    thread: Thread.optional(),
    bound: Bound.optional(),
    ...Owing,
  }),
  z.object({ status: z.literal('posted'), channel: z.string(), ts: z.string(), ...Owing }),
  /** Final: the message can't be delivered. */
  z.object({ status: z.literal('given_up'), code: z.string(), ...Owing }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type PendingDelivery = Extract<Delivery, { status: 'owed' | 'doubtful' }>;

type Refused = { type: 'refused'; code: string };
/** The code of a refused reply that Slack has posted outside of its thread: the reply was removed, or may still be there. */
export const MISPLACED = 'thread_not_found';

/** The call was certainly not performed. */
export type Later = { type: 'later'; code: string; retryAfterMs?: number };
/** The call was possibly performed, or is still in progress. */
type InDoubt = { type: 'doubtful'; code: string };
/** A failed call to Slack: it was refused, certainly had no effect, or may have had one. */
export type Failed = Refused | Later | InDoubt;
/** The search ended before it was complete. */
export type Searching = { type: 'searching'; bound: string | undefined; retryAfterMs?: number };

/**
 * The result of a post. `inSharedChannel`: the card's channel turned out to be shared, and nothing confidential was
 * shown there.
 */
export type PostResult = { type: 'posted'; channel: string; ts: string; inSharedChannel?: true } | Failed;

/**
 * The result of updating a message. `gone`: it was deleted. `out_of_reach`: its channel is archived, or the bot is no member.
 * `kept`: the message exists, and Slack has refused to change it. `inSharedChannel`: as of a post.
 */
export type UpdateResult =
  | { type: 'posted'; inSharedChannel?: true }
  | { type: 'gone'; code: string }
  | { type: 'out_of_reach'; code: string }
  | { type: 'kept'; code: string; inSharedChannel?: true }
  | Later
  | InDoubt;

/**
 * The result of searching for a message that may have been posted. `absent` follows only a complete search. `refused`:
 * Slack does not allow the search.
 */
export type FindResult =
  | { type: 'posted'; channel: string; ts: string }
  | { type: 'absent' }
  | Searching
  | Refused
  | Later;

/**
 * The result of a tidy. `kept`: the message that stays; undefined if none exists. `removed`: the number of deleted copies.
 * `linked`: the number of copies that were replaced by a link to the kept message. `voters`: people who reacted to the linked
 * copies. `uncounted`: people who reacted to the kept message, if it was not the recorded one. `left`: copies to try again.
 * `code`: Slack's refusal, if a copy can neither be deleted nor be replaced by a link.
 */
export type TidyResult =
  | {
      type: 'tidied';
      kept: { channel: string; ts: string } | undefined;
      removed: number;
      linked: number;
      voters: string[];
      uncounted: string[];
      left: string[];
      code?: string;
    }
  | (Searching & { found: string[] })
  | Refused
  | Later;

/** Owes a message. @param former its delivery until now, if it had one: the tidies that it owes stay owed */
export const owed = (now: number, { tidies }: Pick<Delivery, 'tidies'> = {}): PendingDelivery => ({
  status: 'owed',
  tries: 0,
  notBefore: now,
  ...(tidies && { tidies }),
});

/** The code of a message that is given up because nobody needs it any more, or because nobody needs it yet. */
export const NOT_NEEDED = 'not_needed';

/** Marks a delivery as given up: the message is unwanted or impossible to post. Its copies are still tidied. */
export function givenUp({ tidies }: Delivery, code: string): Delivery {
  return { status: 'given_up', code, ...(tidies && { tidies }) };
}

export function isPending(delivery: Delivery): delivery is PendingDelivery {
  return delivery.status === 'owed' || delivery.status === 'doubtful';
}

/** Whether a message is given up, and no copy of it may appear any more. */
export const isOver = ({ status, tidies }: Delivery): boolean =>
  status === 'given_up' && tidies === undefined;
