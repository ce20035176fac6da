/** Applies the results of effects to the delivery of a notice that belongs to no request. */
import { type Attempt, afterAttempt, afterTidy, withTidy } from '../../../outbox/attempt.ts';
import {
  type FindResult,
  givenUp,
  isPending,
  type PostResult,
  type TidyResult,
  type UpdateResult,
} from '../../../outbox/delivery.ts';
import { afterUpdate, type Updating } from '../../../outbox/upkeep.ts';
import type { Notice } from './notice.ts';
import type { UnmatchedEvents } from './unmatched-events.ts';

/** Applies the result of a post or a search. @param shown what a posted message that counts events shows */
export function applyNoticeResult(
  notice: Notice,
  result: PostResult | FindResult,
  attempt: Attempt,
  shown = 0,
): Notice {
  const { delivery } = notice;
  return isPending(delivery)
    ? showing({ ...notice, delivery: afterAttempt(delivery, result, attempt) }, shown)
    : notice;
}

/** A message that was found, or that has replaced another one, may show an older number: it is updated again. */
const showing = (notice: Notice, shown: number): Notice =>
  notice.type === 'unmatched_events' ? { ...notice, shown } : notice;

/** Applies an update. A message that nobody can see any more is given up: later events of its hour are only counted. */
export function applyNoticeUpdate(
  notice: UnmatchedEvents,
  result: UpdateResult,
  updating: Updating,
): UnmatchedEvents {
  if (result.type === 'gone' || result.type === 'out_of_reach')
    return { ...notice, delivery: givenUp(notice.delivery, result.code) };
  return afterUpdate(notice, result, updating);
}

/** Such a notice is in a channel or a direct message. */
const NO_THREAD = { to: undefined, thread: undefined };

/** Applies the result of a tidy. */
export function applyNoticeTidy(notice: Notice, result: TidyResult, now: number): Notice {
  const tidied = {
    ...notice,
    delivery: afterTidy(notice.delivery, { place: NO_THREAD, result, now }),
  };
  return result.type === 'tidied' && result.kept ? showing(tidied, 0) : tidied;
}

/**
 * Applies a result whose claim has expired. Its message becomes the recorded one if none is known yet, else a copy to
 * tidy.
 */
export function applyLateNoticeResult(
  notice: Notice,
  result: PostResult | FindResult,
  attempt: Attempt,
): Notice {
  const { delivery } = notice;
  if (result.type === 'posted' && isPending(delivery)) return applyNoticeResult(notice, result, attempt);
  const isRecorded = result.type === 'posted' && delivery.status === 'posted' && delivery.ts === result.ts;
  if ((result.type !== 'posted' && result.type !== 'doubtful') || isRecorded) return notice;
  return { ...notice, delivery: withTidy(delivery, attempt) };
}
