/** Applies the results of effects to the delivery of a notification that belongs to no request. */
import { type Attempt, afterAttempt, afterTidy, withTidy } from '../messages/attempt.ts';
import {
  type FindResult,
  givenUp,
  isPending,
  type PostResult,
  type TidyResult,
  type UpdateResult,
} from '../messages/delivery.ts';
import { afterUpdate } from '../messages/upkeep.ts';
import type { UnmatchedEvents } from '../notices/unmatched-events.ts';
import type { WorkspaceNotification } from '../workspace-notification.ts';

/** Applies the result of a post or a search. @param shown what a posted message that counts events shows */
export function applyNotificationResult(
  { claim: _released, ...notification }: WorkspaceNotification,
  result: PostResult | FindResult,
  attempt: Attempt,
  shown = 0,
): WorkspaceNotification {
  const { delivery } = notification;
  return isPending(delivery)
    ? showing({ ...notification, delivery: afterAttempt(delivery, result, attempt) }, shown)
    : notification;
}

/** A message that was found, or that has replaced another one, may show an older number: it is updated again. */
const showing = (notification: WorkspaceNotification, shown: number): WorkspaceNotification =>
  notification.type === 'unmatched_events' ? { ...notification, shown } : notification;

/** Applies an update. Where nobody can see the message any more, its channel hears no more of the hour. */
export function applyNotificationUpdate(
  { claim, ...notification }: UnmatchedEvents,
  result: UpdateResult,
  updating: { rendered: number; now: number; appearMs: number },
): UnmatchedEvents {
  if (result.type === 'gone')
    return { ...notification, delivery: givenUp(notification.delivery, result.code) };
  return afterUpdate(notification, result, { ...updating, startedAt: claim?.startedAt ?? updating.now });
}

/** Such a notification is in a channel or a direct message. */
const NO_THREAD = { to: undefined, thread: undefined };

/** Applies the result of a tidy. */
export function applyNotificationTidy(
  { claim: _released, ...notification }: WorkspaceNotification,
  result: TidyResult,
  now: number,
): WorkspaceNotification {
  const tidied = {
    ...notification,
    delivery: afterTidy(notification.delivery, { place: NO_THREAD, result, now }),
  };
  return result.type === 'tidied' && result.kept ? showing(tidied, 0) : tidied;
}

/**
 * Applies a result whose claim has expired. Its message becomes the recorded one if none is known yet, else a copy to
 * tidy.
 */
export function applyLateNotificationResult(
  notification: WorkspaceNotification,
  result: PostResult | FindResult,
  attempt: Attempt,
): WorkspaceNotification {
  const { delivery } = notification;
  if (result.type === 'posted' && isPending(delivery)) {
    return { ...notification, delivery: afterAttempt(delivery, result, attempt) };
  }
  const isRecorded = result.type === 'posted' && delivery.status === 'posted' && delivery.ts === result.ts;
  if ((result.type !== 'posted' && result.type !== 'doubtful') || isRecorded) return notification;
  return { ...notification, delivery: withTidy(delivery, { ...attempt, since: attempt.startedAt }) };
}
