/** Derives the pending effects of a notice, and applies their results to its delivery. */
import { type Attempt, afterAttempt, afterTidy, isCopy, withTidy } from '../../../outbox/attempt.ts';
import {
  type FindResult,
  givenUp,
  isOver,
  isPending,
  NOT_NEEDED,
  owed,
  type PostResult,
  type TidyResult,
  type UpdateResult,
} from '../../../outbox/delivery.ts';
import {
  afterLateUpdate,
  afterUpdate,
  type Message,
  type PostingEffect,
  postingOf,
  type TidyEffect,
  tidiesOf,
  type Updating,
  updateOf,
} from '../../../outbox/message.ts';
import { dueAt, type PendingEffect, retryRefusedAt } from '../../../outbox/record-type.ts';
import { isUnaddressed, type Notice } from './notice.ts';

/** The time after which a notice is removed. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** `address`: finds the recipients. `remove`: changes the record alone. */
export type NoticeEffect = PostingEffect | TidyEffect | { type: 'address' } | { type: 'remove' };

/** Returns the one message that a notice is. Only a count of events is kept up to date. */
const messageOf = (notice: Notice): Message => ({
  key: notice.id,
  at: notice.at,
  delivery: notice.delivery,
  upkeep: notice.type === 'unmatched_events' ? { ...notice, revision: notice.summed } : undefined,
});

/** Lists the pending effects. There always is one: in the end the notice is removed, even if it was never posted. */
export function pendingNoticeEffects(notice: Notice): PendingEffect<NoticeEffect>[] {
  const message = messageOf(notice);
  const posting: PendingEffect<NoticeEffect>[] = postingOf(message).map(({ effect, at }) =>
    effect.type === 'post' && isUnaddressed(notice) ? { effect: { type: 'address' }, at } : { effect, at },
  );
  const remove = { effect: { type: 'remove' as const }, at: notice.at + KEPT_MS };
  // A message is settled before its copies are removed: until then, a tidy would keep one of them in its place.
  const tidies = isPending(notice.delivery) ? [] : tidiesOf(message);
  return [remove, ...posting, ...updateOf(message, 0), ...tidies];
}

/** The time at which the next effect is due. */
export const noticeDueAt = (notice: Notice): number | undefined =>
  dueAt(notice, () => pendingNoticeEffects(notice));

/**
 * Applies the result of a post or a search. A post that Slack refuses is tried again, for a week. After a refused search the
 * notice is given up: it may have been posted. If the late result of another process has settled the notice meanwhile, this
 * result's message is a copy to tidy.
 *
 * @param shown the number of events that a message which counts them shows
 */
export function applyNoticeResult(
  notice: Notice,
  result: PostResult | FindResult,
  attempt: Attempt,
  shown = 0,
): Notice {
  const { delivery: before } = notice;
  if (!isPending(before)) return isCopy(before, result) ? owingNoticeTidy(notice, attempt) : notice;
  const delivery = afterAttempt(before, result, attempt);
  if (delivery.status !== 'given_up' || before.status !== 'owed')
    return showing({ ...notice, delivery }, shown);
  const { refusedAt = attempt.now } = notice;
  const nextAt = retryRefusedAt(attempt.now, refusedAt);
  return { ...notice, refusedAt, delivery: nextAt === undefined ? delivery : owed(nextAt, delivery) };
}

/** Records the number of events that a message shows. 0, if nobody knows what it shows, has it updated again. */
const showing = (notice: Notice, shown: number): Notice =>
  notice.type === 'unmatched_events' ? { ...notice, shown } : notice;

/**
 * Applies an update of a message that counts events. A message that nobody can see any more is given up: later events of its
 * hour are only counted.
 */
export function applyNoticeUpdate(notice: Notice, result: UpdateResult, updating: Updating): Notice {
  if (notice.type !== 'unmatched_events') return notice;
  if (result.type === 'gone' || result.type === 'out_of_reach')
    return { ...notice, delivery: givenUp(notice.delivery, result.code) };
  return afterUpdate(notice, result, updating);
}

/** Applies an update whose claim has expired. */
export const applyLateNoticeUpdate = (
  notice: Notice,
  result: UpdateResult,
  late: Parameters<typeof afterLateUpdate>[2],
): Notice => (notice.type === 'unmatched_events' ? afterLateUpdate(notice, result, late) : notice);

/**
 * Applies the result of a tidy. A notice is in a channel or a direct message, outside of any thread. One that was given up because
 * it might have been posted is owed again, once it is found nowhere.
 */
export function applyNoticeTidy(notice: Notice, result: TidyResult, now: number): Notice {
  const place = { to: undefined, thread: undefined };
  const tidied = { ...notice, delivery: afterTidy(notice.delivery, { place, result, now }) };
  if (result.type !== 'tidied') return tidied;
  if (result.kept) return showing(tidied, 0);
  return isLost(tidied) && retryRefusedAt(now, notice.at) !== undefined
    ? { ...tidied, delivery: owed(now) }
    : tidied;
}

/** Whether a notice is given up, though it is still needed. A count of events may have been posted, and deleted since. */
const isLost = ({ type, delivery }: Notice): boolean =>
  type !== 'unmatched_events' &&
  isOver(delivery) &&
  delivery.status === 'given_up' &&
  delivery.code !== NOT_NEEDED;

/** Owes a tidy, because another copy than the recorded one may be in Slack. */
export const owingNoticeTidy = (notice: Notice, attempt: Attempt): Notice => ({
  ...notice,
  delivery: withTidy(notice.delivery, attempt),
});
