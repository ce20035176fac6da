/** Applies the result of a post, a search or a tidy to the delivery of a message. */
import {
  type CopiesPlace,
  type Delivery,
  type Destination,
  type FindResult,
  givenUp,
  MISPLACED,
  owed,
  type PendingDelivery,
  type PostResult,
  type Searching,
  type Tidy,
  type TidyResult,
  tidyAt,
} from './delivery.ts';
import { retryAt } from './record-type.ts';

/** One attempt to post a message, or to find it. */
export type Attempt = {
  /** The time of its claim. */
  since: number;
  /** The latest time at which its call to Slack may have been written. */
  until: number;
  /** The destination of a reply or a note. */
  to?: Destination | undefined;
  /** The timestamp of the parent message, as in `Tidy`. */
  thread?: string | undefined;
  now: number;
  /** The wait for a doubtful post to appear, before the bot searches for it. */
  doubtMs: number;
  /** The longest time until a message appears after the call. A refused search is tried again that long, too. */
  appearMs: number;
};

/** Applies the result of a post or a search to a delivery. @param before the delivery at the time of the claim */
export function afterAttempt(
  before: PendingDelivery,
  result: PostResult | FindResult,
  attempt: Attempt,
): Delivery {
  const tries = before.tries + 1;
  const { since, until, thread, now, doubtMs, appearMs } = attempt;
  const owing = before.tidies ? { tidies: before.tidies } : {};
  switch (result.type) {
    case 'posted': {
      // Slack may list the message late: a tidy that does not see it would keep a copy instead.
      const tidies = before.tidies?.map((tidy) => putOff(tidy, until + appearMs));
      const { channel, ts } = result;
      const posted = { status: 'posted', channel, ts, ...(tidies && { tidies }) } as const;
      // An earlier attempt may have posted the message that was found. Then that of the doubtful attempt may still appear.
      return before.status === 'doubtful' && before.tidies
        ? withTidy(posted, attemptInDoubt(before, attempt))
        : posted;
    }
    case 'refused':
      return afterRefusal(before, result, attempt);
    case 'absent': {
      const again = { ...owed(now, before), tries };
      return before.status === 'doubtful' ? withTidy(again, attemptInDoubt(before, attempt)) : again;
    }
    case 'doubtful': {
      const possible = { since, until, ...(thread && { thread }) };
      return { status: 'doubtful', tries, ...possible, notBefore: now + doubtMs, ...owing };
    }
    case 'searching':
      return { ...before, tries, ...boundOf(result), notBefore: now + (result.retryAfterMs ?? 0) };
    case 'later':
      return { ...before, tries, notBefore: retryAt(now, tries, result.retryAfterMs) };
  }
}

/**
 * Whether a result shows that there is, or may be, another message than the recorded one: this process was frozen past its
 * claim, and another process has settled the message meanwhile.
 */
export function isCopy(recorded: Delivery, result: PostResult | FindResult): boolean {
  if (result.type === 'posted') return recorded.status !== 'posted' || recorded.ts !== result.ts;
  return result.type === 'doubtful';
}

/**
 * Chooses how the result of a post or a search is applied once its claim has expired: only a message that is in Slack, or may be,
 * still matters.
 */
export const lateOf = <T>(
  { type }: PostResult | FindResult,
  late: { posted: T; doubtful: T },
): T | undefined => (type === 'posted' || type === 'doubtful' ? late[type] : undefined);

const putOff = (tidy: Tidy, until: number): Tidy => ({ ...tidy, notBefore: Math.max(tidy.notBefore, until) });

/**
 * Applies a refusal. A refused post is given up. A refused search is tried again at first, because the bot may be invited again;
 * after `appearMs` the message is given up, and a tidy removes the copy that may exist. A misplaced message is given up at once,
 * and a tidy makes sure that it was removed.
 */
function afterRefusal(
  before: PendingDelivery,
  { code }: Extract<PostResult, { type: 'refused' }>,
  attempt: Attempt,
): Delivery {
  if (code === MISPLACED) return withTidy(givenUp(before, code), attemptInDoubt(before, attempt));
  if (before.status === 'owed') return givenUp(before, code);
  const tries = before.tries + 1;
  if (attempt.now - before.since < attempt.appearMs)
    return { ...before, tries, notBefore: retryAt(attempt.now, tries) };
  return withTidy(givenUp(before, code), attemptInDoubt(before, attempt));
}

const boundOf = ({ bound }: Searching) => (bound === undefined ? {} : { bound });

/**
 * The attempt whose message may still appear. If the delivery was doubtful, that is the doubtful post, at its time and in its
 * thread; the present attempt was only a search.
 */
function attemptInDoubt(before: PendingDelivery, attempt: Attempt): Attempt {
  if (before.status === 'owed') return attempt;
  const { since, until, thread = attempt.thread } = before;
  return { ...attempt, since, until, thread };
}

/** Adds a tidy for an attempt whose message may still appear, merged with the tidy already owed for the same place. */
export function withTidy<D extends Delivery>(
  delivery: D,
  { since, until, to, thread, appearMs }: Attempt,
): D {
  const { tidies = [] } = delivery;
  const same = tidyAt(tidies, { to, thread });
  const latest = Math.max(until, same?.until ?? until);
  const tidy: Tidy = {
    ...(to && { to }),
    ...(thread && { thread }),
    since: Math.min(since, same?.since ?? since),
    until: latest,
    tries: 0,
    notBefore: latest + appearMs,
  };
  return { ...delivery, tidies: [...tidies.filter((each) => each !== same), tidy] };
}

/** The wait after a refused tidy: Slack refuses it for as long as the bot is not in the channel, or the channel is archived. */
const REFUSED_TIDY_MS = 10 * 60_000;
/** The time after the last attempt at which a refused tidy is given up. */
const TIDY_ENDS_MS = 6 * 60 * 60_000;

/** The next try of a refused tidy; none once it is given up. */
const whileRefused = (tidy: Tidy, now: number): Tidy[] =>
  now < tidy.until + TIDY_ENDS_MS ? [{ ...tidy, notBefore: now + REFUSED_TIDY_MS }] : [];

/** Applies the result of a tidy to a delivery. A message that replaced the recorded one becomes the recorded one. */
export function afterTidy(
  before: Delivery,
  { place, result, now }: { place: CopiesPlace; result: TidyResult; now: number },
): Delivery {
  const { tidies = [], ...rest } = before;
  const done = tidyAt(tidies, place);
  if (!done) return before;
  const others = tidies.filter((tidy) => tidy !== done);
  const tidiesIn = (list: Tidy[]) => (list.length > 0 ? { tidies: list } : {});
  const tries = done.tries + 1;
  switch (result.type) {
    case 'tidied': {
      const { kept, left, code } = result;
      const again = { ...done, tries, found: left };
      const next =
        code === undefined ? [{ ...again, notBefore: retryAt(now, tries) }] : whileRefused(again, now);
      const still = tidiesIn(left.length > 0 ? [...others, ...next] : others);
      if (!kept) return { ...rest, ...still };
      return { status: 'posted', channel: kept.channel, ts: kept.ts, ...still };
    }
    case 'refused':
      return { ...rest, ...tidiesIn([...others, ...whileRefused({ ...done, tries }, now)]) };
    case 'searching': {
      const { found, retryAfterMs = 0 } = result;
      const next = { ...done, tries, ...boundOf(result), found, notBefore: now + retryAfterMs };
      return { ...rest, ...tidiesIn([...others, next]) };
    }
    case 'later': {
      const notBefore = retryAt(now, tries, result.retryAfterMs);
      return { ...rest, ...tidiesIn([...others, { ...done, tries, notBefore }]) };
    }
  }
}
