/**
 * The delivery of one message to Slack: the card, a reply, a note. A post of which nobody knows whether it came through
 * is looked for before anything is posted again; and where another message was posted while an earlier one may still
 * appear, the delivery owes a tidy: later all copies but one are removed (invariant 3).
 */
import { z } from 'zod';

/** How far a search has come: everything newer (in a channel) or older (in a thread) was read. A Slack timestamp. */
const Bound = z.string();

/** Where a reply goes: into the card's thread, else to the requester directly, else into the channel. */
export const Destination = z.enum(['thread', 'asker', 'channel']);
export type Destination = z.infer<typeof Destination>;

/** Copies that may still appear, of attempts between `since` and `until` (epoch milliseconds). `to`: of a reply. */
export const Tidy = z.object({
  to: Destination.optional(),
  since: z.number(),
  until: z.number(),
  tries: z.number(),
  notBefore: z.number(),
  /** How far the search has come, and what it has found by then. */
  bound: Bound.optional(),
  found: z.array(z.string()).optional(),
});
export type Tidy = z.infer<typeof Tidy>;

const Times = { tries: z.number(), notBefore: z.number() };
const Owing = { tidies: z.array(Tidy).optional() };

export const Delivery = z.discriminatedUnion('status', [
  z.object({ status: z.literal('owed'), ...Times, ...Owing }),
  /** It may stand in Slack already. `since` and `until`: when the request may have been written. */
  z.object({
    status: z.literal('doubtful'),
    ...Times,
    since: z.number(),
    until: z.number(),
    bound: Bound.optional(),
    /** The requester was told that it is unclear. */
    told: z.literal(true).optional(),
    ...Owing,
  }),
  z.object({ status: z.literal('posted'), channel: z.string(), ts: z.string(), ...Owing }),
  /** It can't be delivered, and that is settled. */
  z.object({ status: z.literal('given_up'), code: z.string(), ...Owing }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type Pending = Extract<Delivery, { status: 'owed' | 'doubtful' }>;

type Refused = { type: 'refused'; code: string };
/** Certainly not done. */
type Later = { type: 'later'; code: string; retryAfterMs?: number };
/** Perhaps done, or being done. */
type InDoubt = { type: 'doubtful'; code: string };
/** The search was ended before it was complete. */
type Searching = { type: 'searching'; bound: string | undefined; retryAfterMs?: number };

/**
 * The result of trying to post. `inSharedChannel`: the channel of the card was found to be shared, and nothing was shown
 * there that must not be.
 */
export type Posting =
  | { type: 'posted'; channel: string; ts: string; inSharedChannel?: true }
  | Refused
  | Later
  | InDoubt;

/** The result of updating a message. `gone`: nobody can see it any more. `kept`: it stands, and stays as it was. */
export type Updating =
  | { type: 'posted'; inSharedChannel?: true }
  | { type: 'gone'; code: string }
  | { type: 'kept'; code: string }
  | Later
  | InDoubt;

/** The result of looking for a message that may have been posted. `absent` only after a complete search; `refused`: nobody may look. */
export type Found =
  | { type: 'posted'; channel: string; ts: string }
  | { type: 'absent' }
  | Searching
  | Refused
  | Later;

/**
 * The result of a tidy. `kept`: the message that stays; undefined where none stands. `removed`: how many copies were
 * deleted. `linked`: how many became a link to the one that stays, and `voters`: who had reacted to those. `uncounted`: who
 * has reacted to the one that stays, where it was not the recorded one. `left`: copies that have to be tried again.
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

/** The delivery of a message that is not wanted any more, or can't be had: copies of it are tidied all the same. */
export function givenUp({ tidies }: Delivery, code: string): Delivery {
  return { status: 'given_up', code, ...(tidies && { tidies }) };
}

export function isPending(delivery: Delivery): delivery is Pending {
  return delivery.status === 'owed' || delivery.status === 'doubtful';
}

/** Milliseconds to wait before try number `tries` + 1: 1 s, doubling, at most a minute. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, tries - 1)));
}

/**
 * One try. All are epoch milliseconds but the last two, which are milliseconds.
 *
 * `startedAt`: when it was claimed. `until`: up to when its request may have been written. `to`: of a reply. `doubtMs`:
 * how long Slack is given to show a doubtful post before it is looked for; `appearMs`: how long a written request may
 * take to appear, and how long a search that Slack refuses is tried again.
 */
export type Try = {
  startedAt: number;
  until: number;
  to?: Destination | undefined;
  now: number;
  doubtMs: number;
  appearMs: number;
};

/** The delivery after a try to post, or to find. @param before as it was when the try was claimed */
export function afterTry(before: Pending, result: Posting | Found, given: Try): Delivery {
  const tries = before.tries + 1;
  const { startedAt, until, now, doubtMs } = given;
  const owing = before.tidies ? { tidies: before.tidies } : {};
  switch (result.type) {
    case 'posted': {
      const posted = { status: 'posted', channel: result.channel, ts: result.ts, ...owing } as const;
      // What was found may be an earlier attempt, and this one may still appear.
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

/**
 * A message that may stand is not given up because Slack refuses to be searched: the bot may be let in again. After a
 * while the message goes elsewhere, and the tidy removes the copy that may stand.
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

/** The delivery owing a tidy for attempts that may still appear, beside those that it was owing one for already. */
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

/** Slack may refuse a tidy for as long as the bot is not in the channel. */
const REFUSED_TIDY_MS = 10 * 60_000;
const TIDY_ENDS_MS = 6 * 60 * 60_000;

/** The delivery after a tidy. A message that took the place of the recorded one is the recorded one from now on. */
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
