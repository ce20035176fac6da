/**
 * Performs the pending effects of a notification like advance.ts: claim, perform, apply. The two share the model of a
 * delivery, and not the loop: a request adds the call and its pauses, events that belong to another record, and copies
 * that a frozen process removes itself; a notification adds its recipients and its removal. A loop for both would take
 * each of these as a hook that the other one leaves empty.
 */

import { applyNotificationResult } from '../model/changes/notification-delivery.ts';
import { givenUp } from '../model/messages/delivery.ts';
import { afterLateUpdate } from '../model/messages/upkeep.ts';
import {
  isUnaddressed,
  type LimitedNotificationEffect,
  type NotificationEffect,
  nextNotificationEffect,
  type TokenNotification,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import { NOW, type Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import type { Replicated } from '../ports/replicated.ts';
import {
  deliver,
  findAddressees,
  isHolder,
  type NotificationEffectDeps,
  showCount,
  tidy,
  updateNotification,
} from './notification-effects.ts';

export type AdvanceNotificationDeps = NotificationEffectDeps & {
  /** Whether the notification still holds: its connection is the current one, and its calls are paused. */
  isInForce: (notification: TokenNotification) => Promise<boolean>;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (notification: WorkspaceNotification, effect: LimitedNotificationEffect) => Promise<Wait>;
  /**
   * Gives up the places of a notification in the queues of the rate limiter, except that of the effect that is pending. It
   * never throws.
   */
  leaveQueues: (ref: RecordRef, pending: NotificationEffect | undefined) => Promise<void>;
  replicated: Replicated;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
  owner: string;
  /** Aborted at shutdown: no new effect begins. */
  stopping: AbortSignal;
};

const MAX_TURNS = 20;

/** `since`: the time of the read, on the monotonic clock. */
type Read = { record: WorkspaceNotification; now: number; since: number };

function isLimited(
  notification: WorkspaceNotification,
  effect: NotificationEffect,
): effect is LimitedNotificationEffect {
  return effect !== 'remove' && effect !== 'expire_claim' && !isUnaddressed(notification);
}

/**
 * Performs all effects that are due.
 *
 * @returns milliseconds until the next effect is due; undefined if the notification is gone
 * @throws if the storage can't be read or written: the sweep tries again
 */
export async function advanceNotification(
  deps: AdvanceNotificationDeps,
  ref: RecordRef,
): Promise<number | undefined> {
  for (let turn = 0; turn < MAX_TURNS && !deps.stopping.aborted; turn++) {
    const since = deps.monotonic();
    const read = await deps.workspaceNotifications.get(ref);
    const next = read && nextNotificationEffect(read.record, read.now);
    if (!next || next.at > read.now) {
      await deps.leaveQueues(ref, next?.effect);
      return next && next.at - read.now;
    }
    const { ms } = isLimited(read.record, next.effect) ? await deps.limit(read.record, next.effect) : NOW;
    if (ms > 0) {
      await deps.leaveQueues(ref, next.effect);
      return putOff(deps, ref, ms);
    }
    await perform(deps, { ...read, since }, next.effect);
  }
  return 0;
}

/** Without this the sweep would find it again and again before all others: it is due already. */
async function putOff(
  { workspaceNotifications }: AdvanceNotificationDeps,
  ref: RecordRef,
  ms: number,
): Promise<number> {
  await workspaceNotifications.postpone(ref, ms);
  return ms;
}

async function perform(
  deps: AdvanceNotificationDeps,
  { record: notification, now, since }: Read,
  effect: NotificationEffect,
): Promise<void> {
  switch (effect) {
    case 'remove':
      await deps.workspaceNotifications.remove(notification, notification.version);
      return;
    case 'expire_claim':
      await updateNotification(deps, expired(deps, notification), notification.version);
      return;
    default: {
      if (await isObsolete(deps, notification, effect)) return dropObsolete(deps, notification);
      const { timings } = deps;
      const holder = { owner: deps.owner, startedAt: now, expiresAt: now + timings.claimMs };
      const mine = { ...notification, claim: holder };
      const claim = () => updateNotification(deps, mine, notification.version);
      // A claim that a failover undoes would let another process post again, or show a number that is undone, too.
      const isSeen = effect === 'post' || effect === 'update';
      const written = await (isSeen ? deps.replicated(claim) : claim());
      if (written.type !== 'updated') return;
      const guard = {
        inTime: () => deps.monotonic() - since <= timings.claimMs / 2,
        isHeld: async () => isHolder((await deps.workspaceNotifications.get(mine))?.record, mine),
      };
      if (isUnaddressed(mine)) await findAddressees(deps, mine, guard);
      else if (effect === 'update') await showCount(deps, mine, guard);
      else if (effect === 'tidy') await tidy(deps, mine, guard);
      else await deliver(deps, mine, guard, effect);
    }
  }
}

/** Whether the notification must not be posted any more, because an admin has connected the workspace again. */
async function isObsolete(
  { isInForce }: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
  effect: NotificationEffect,
): Promise<boolean> {
  const isToBePosted = effect === 'post' || isUnaddressed(notification);
  return isToBePosted && 'generation' in notification && !(await isInForce(notification));
}

/** Keeps the notification while copies of it may still appear, or another process has gone on with it. */
async function dropObsolete(
  deps: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
): Promise<void> {
  const { delivery, version } = notification;
  if (delivery.tidies === undefined) await deps.workspaceNotifications.remove(notification, version);
  else
    await updateNotification(deps, { ...notification, delivery: givenUp(delivery, 'not_needed') }, version);
}

/**
 * The owner of the claim is gone. A post may have been made; a search, also one for the recipients, or a tidy is simply repeated, over
 * the same time as before.
 */
function expired(
  { timings }: AdvanceNotificationDeps,
  { claim, ...notification }: WorkspaceNotification,
): WorkspaceNotification {
  if (!claim) return notification;
  const { startedAt, expiresAt: until } = claim;
  if (notification.type === 'unmatched_events' && notification.delivery.status === 'posted')
    return afterLateUpdate(
      notification,
      { type: 'doubtful', code: 'interrupted' },
      { ...timings, now: until },
    );
  if (notification.delivery.status !== 'owed' || isUnaddressed(notification)) return notification;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return applyNotificationResult(notification, interrupted, { ...timings, startedAt, until, now: startedAt });
}
