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

/**
 * One attempt. `since`: when it was claimed. `until`: the latest time at which its call of Slack may have been written. `to`:
 * the destination of a reply or a note. `thread`: the parent message, as in Tidy. `doubtMs`: how long the bot waits for a doubtful
 * post to appear before it searches. `appearMs`: how long a message may take to appear after the call, and how long a refused
 * search is retried.
 */
export type Attempt = {
  since: number;
  until: number;
  to?: Destination | undefined;
  thread?: string | undefined;
  now: number;
  doubtMs: number;
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
      // The message that was found may be of an attempt before the doubtful one, whose own message may then still appear.
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
 * Whether a result shows that there is, or may be, another message than the recorded one: a process was frozen past its
 * claim, and another one has settled the message meanwhile.
 */
export function isCopy(recorded: Delivery, result: PostResult | FindResult): boolean {
  if (result.type === 'posted') return recorded.status !== 'posted' || recorded.ts !== result.ts;
  return result.type === 'doubtful';
}

const putOff = (tidy: Tidy, until: number): Tidy => ({ ...tidy, notBefore: Math.max(tidy.notBefore, until) });

/**
 * Does not give up on a possibly posted message just because Slack refuses the search: the bot may be invited again.
 * After `appearMs` the message goes elsewhere, and the tidy removes the copy that may exist. A misplaced message goes
 * elsewhere at once; the tidy makes sure that it was removed.
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
 * The attempt whose message may still appear. After a doubtful post this is that post, at its time and in its thread: the
 * attempt after it was a search.
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
/** So long after the last attempt a refused tidy is given up. */
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
