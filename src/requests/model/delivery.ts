/**
 * Tracks the delivery of one message to Slack: the card, a reply or a notification. If nobody knows whether a post
 * arrived, the bot searches for the message before it posts again. If an earlier attempt may still appear after another
 * message was posted, the delivery owes a tidy: all copies but one are removed later (invariant 3).
 */
import { z } from 'zod';

/** The progress of a search, as a Slack timestamp: everything newer (in a channel) or older (in a thread) was read. */
const Bound = z.string();

/** The destination of a reply: the card's thread, else the requester directly, else the channel. */
export const Destination = z.enum(['thread', 'requester', 'channel']);
export type Destination = z.infer<typeof Destination>;

/**
 * Copies that may still appear, from attempts between `since` and `until` (epoch milliseconds). `to`: the destination,
 * for a reply.
 */
export const Tidy = z.object({
  to: Destination.optional(),
  since: z.number(),
  until: z.number(),
  tries: z.number(),
  notBefore: z.number(),
  /** Progress of the search, and the copies found so far. */
  bound: Bound.optional(),
  found: z.array(z.string()).optional(),
});
export type Tidy = z.infer<typeof Tidy>;

const Times = { tries: z.number(), notBefore: z.number() };
const Owing = { tidies: z.array(Tidy).optional() };

export const Delivery = z.discriminatedUnion('status', [
  z.object({ status: z.literal('owed'), ...Times, ...Owing }),
  /** The message may be in Slack already. `since` and `until`: when its request may have been written. */
  z.object({
    status: z.literal('doubtful'),
    ...Times,
    since: z.number(),
    until: z.number(),
    bound: Bound.optional(),
    /** The requester knows that the delivery is unclear. */
    reported: z.literal(true).optional(),
    ...Owing,
  }),
  z.object({ status: z.literal('posted'), channel: z.string(), ts: z.string(), ...Owing }),
  /** Final: the message can't be delivered. */
  z.object({ status: z.literal('given_up'), code: z.string(), ...Owing }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type Pending = Extract<Delivery, { status: 'owed' | 'doubtful' }>;

type Refused = { type: 'refused'; code: string };
/** Certainly not performed. */
type Later = { type: 'later'; code: string; retryAfterMs?: number };
/** Possibly performed, or still in progress. */
type InDoubt = { type: 'doubtful'; code: string };
/** The search ended before it was complete. */
type Searching = { type: 'searching'; bound: string | undefined; retryAfterMs?: number };

/**
 * The result of a post. `inSharedChannel`: the card's channel turned out to be shared, and nothing confidential was
 * shown there.
 */
export type Posting =
  | { type: 'posted'; channel: string; ts: string; inSharedChannel?: true }
  | Refused
  | Later
  | InDoubt;

/**
 * The result of updating a message. `gone`: nobody can see the message any more. `kept`: the message exists and was
 * left unchanged.
 */
export type Updating =
  | { type: 'posted'; inSharedChannel?: true }
  | { type: 'gone'; code: string }
  | { type: 'kept'; code: string }
  | Later
  | InDoubt;

/**
 * The result of searching for a message that may have been posted. `absent` follows only a complete search. `refused`:
 * Slack does not allow the search.
 */
export type Found =
  | { type: 'posted'; channel: string; ts: string }
  | { type: 'absent' }
  | Searching
  | Refused
  | Later;

/**
 * The result of a tidy. `kept`: the message that stays; undefined if none exists. `removed`: the number of deleted
 * copies. `linked`: the number of copies that were replaced by a link to the kept message. `voters`: people who reacted
 * to those. `uncounted`: people who reacted to the kept message, if it was not the recorded one. `left`: copies to try
 * again.
 */
export type Tidied =
  | {
      type: 'tidied';
      kept: { channel: string; ts: string } | undefined;
      removed: number;
      linked: number;
      voters: string[];
      uncounted: string[];
      left: string[];
    }
  | (Searching & { found: string[] })
  | Refused
  | Later;

export const owed = (now: number): Pending => ({ status: 'owed', tries: 0, notBefore: now });

/** Marks a delivery as given up: the message is unwanted or impossible to post. Its copies are still tidied. */
export function givenUp({ tidies }: Delivery, code: string): Delivery {
  return { status: 'given_up', code, ...(tidies && { tidies }) };
}

export function isPending(delivery: Delivery): delivery is Pending {
  return delivery.status === 'owed' || delivery.status === 'doubtful';
}

/** Milliseconds to wait before try number `tries` + 1: 1 s, doubling, at most one minute. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, tries - 1)));
}

/**
 * One attempt. All times are epoch milliseconds; the last two are durations in milliseconds.
 *
 * `startedAt`: when it was claimed. `until`: the latest moment at which its request may have been written. `to`: the
 * destination, for a reply. `doubtMs`: how long the bot waits for a doubtful post to appear before it searches.
 * `appearMs`: how long a written request may take to appear, and how long a refused search is retried.
 */
export type Try = {
  startedAt: number;
  until: number;
  to?: Destination | undefined;
  now: number;
  doubtMs: number;
  appearMs: number;
};

/** Applies the result of a post or a search to a delivery. @param before the delivery at the time of the claim */
export function afterTry(before: Pending, result: Posting | Found, given: Try): Delivery {
  const tries = before.tries + 1;
  const { startedAt, until, now, doubtMs, appearMs } = given;
  const owing = before.tidies ? { tidies: before.tidies } : {};
  switch (result.type) {
    case 'posted': {
      // Slack may list the message late: a tidy that does not see it would keep a copy instead.
      const tidies = before.tidies?.map((tidy) => putOff(tidy, until + appearMs));
      const { channel, ts } = result;
      const posted = { status: 'posted', channel, ts, ...(tidies && { tidies }) } as const;
      // The message found may come from an earlier attempt, so this attempt's message may still appear.
      return before.status === 'doubtful' && before.tidies
        ? withTidy(posted, { ...given, ...before })
        : posted;
    }
    case 'refused':
      return afterRefusal(before, result.code, given);
    case 'absent': {
      const again = { status: 'owed', tries, notBefore: now, ...owing } as const;
      return before.status === 'doubtful' ? withTidy(again, { ...given, ...before }) : again;
    }
    case 'doubtful':
      return { status: 'doubtful', tries, since: startedAt, until, notBefore: now + doubtMs, ...owing };
    case 'searching':
      return { ...before, tries, ...boundOf(result), notBefore: now + (result.retryAfterMs ?? 0) };
    case 'later':
      return { ...before, tries, notBefore: now + Math.max(result.retryAfterMs ?? 0, backoffMs(tries)) };
  }
}

const putOff = (tidy: Tidy, until: number): Tidy => ({ ...tidy, notBefore: Math.max(tidy.notBefore, until) });

/**
 * Does not give up on a possibly posted message just because Slack refuses the search: the bot may be invited again.
 * After `appearMs` the message goes elsewhere, and the tidy removes the copy that may exist.
 */
function afterRefusal(before: Pending, code: string, given: Try): Delivery {
  if (before.status === 'owed') return givenUp(before, code);
  const tries = before.tries + 1;
  if (given.now - before.since < given.appearMs)
    return { ...before, tries, notBefore: given.now + backoffMs(tries) };
  return withTidy(givenUp(before, code), { ...given, ...before });
}

const boundOf = ({ bound }: Searching) => (bound === undefined ? {} : { bound });

type Attempts = { since: number; until: number } & Pick<Try, 'to' | 'appearMs'>;

/** Adds a tidy for attempts that may still appear, merged with the tidies already owed. */
export function withTidy<D extends Delivery>(delivery: D, { since, until, to, appearMs }: Attempts): D {
  const { tidies = [] } = delivery;
  const same = tidies.find((tidy) => tidy.to === to);
  const latest = Math.max(until, same?.until ?? until);
  const tidy: Tidy = {
    ...(to && { to }),
    since: Math.min(since, same?.since ?? since),
    until: latest,
    tries: 0,
    notBefore: latest + appearMs,
  };
  return { ...delivery, tidies: [...tidies.filter((each) => each !== same), tidy] };
}

/** Slack refuses a tidy for as long as the bot is not in the channel. */
const REFUSED_TIDY_MS = 10 * 60_000;
const TIDY_ENDS_MS = 6 * 60 * 60_000;

/** Applies the result of a tidy to a delivery. A message that replaced the recorded one becomes the recorded one. */
export function afterTidy(
  before: Delivery,
  { to, result, now }: { to: Destination | undefined; result: Tidied; now: number },
): Delivery {
  const { tidies = [], ...rest } = before;
  const done = tidies.find((tidy) => tidy.to === to);
  if (!done) return before;
  const others = tidies.filter((tidy) => tidy !== done);
  const owing = (list: Tidy[]) => (list.length > 0 ? { tidies: list } : {});
  const tries = done.tries + 1;
  switch (result.type) {
    case 'tidied': {
      const { kept, left } = result;
      const again =
        left.length > 0 ? [{ ...done, tries, found: left, notBefore: now + backoffMs(tries) }] : [];
      const still = owing([...others, ...again]);
      if (!kept) return { ...rest, ...still };
      return { status: 'posted', channel: kept.channel, ts: kept.ts, ...still };
    }
    case 'refused': {
      const again = { ...done, tries, notBefore: now + REFUSED_TIDY_MS };
      return { ...rest, ...owing(now < done.until + TIDY_ENDS_MS ? [...others, again] : others) };
    }
    case 'searching': {
      const { found, retryAfterMs = 0 } = result;
      const next = { ...done, tries, ...boundOf(result), found, notBefore: now + retryAfterMs };
      return { ...rest, ...owing([...others, next]) };
    }
    case 'later': {
      const notBefore = now + Math.max(result.retryAfterMs ?? 0, backoffMs(tries));
      return { ...rest, ...owing([...others, { ...done, tries, notBefore }]) };
    }
  }
}
