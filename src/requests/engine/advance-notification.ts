/**
 * Performs the pending effects of a notification like advance.ts: claim, perform, apply. The two share the model of a
 * delivery, and not the loop: a request adds the call and its pauses, events that belong to another record, and copies
 * that a frozen process removes itself; a notification adds its recipients and its removal. A loop for both would take
 * each of these as a hook that the other one leaves empty.
 */

import { givenUp } from '../model/messages/delivery.ts';
import type { Timings } from '../model/pending-effects.ts';
import {
  applyLateNotificationResult,
  applyNotificationResult,
  applyNotificationTidy,
  isUnaddressed,
  type LimitedNotificationEffect,
  type NotificationEffect,
  nextNotificationEffect,
  type TokenNotification,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import type { ClaimGuard, Log, Notifier, Wake, WorkspaceNotificationStore } from '../ports/ports.ts';
import { NOW, type Wait } from '../ports/rate-limiter.ts';
import type { RecordRef } from '../ports/record-store.ts';
import { notificationEntry } from '../store/entry.ts';
import { notifyEach } from '../store/notify-admins.ts';

export type AdvanceNotificationDeps = {
  workspaceNotifications: WorkspaceNotificationStore;
  notifier: Notifier;
  wake: Wake;
  /** Whether the connection whose token was refused is still the current one. */
  isInForce: (connection: { workspace: string; generation: string }) => Promise<boolean>;
  /** Takes the tokens that the effect needs from the rate limiter. */
  limit: (notification: WorkspaceNotification, effect: LimitedNotificationEffect) => Promise<Wait>;
  /** Monotonic milliseconds, to notice that this process was frozen. */
  monotonic: () => number;
  timings: Timings;
  owner: string;
  log: Log;
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
    if (!read) return undefined;
    const next = nextNotificationEffect(read.record, read.now);
    if (next.at > read.now) return next.at - read.now;
    const { ms } = isLimited(read.record, next.effect) ? await deps.limit(read.record, next.effect) : NOW;
    if (ms > 0) return ms;
    await perform(deps, { ...read, since }, next.effect);
  }
  return 0;
}

async function perform(
  deps: AdvanceNotificationDeps,
  { record: notification, now, since }: Read,
  effect: NotificationEffect,
): Promise<void> {
  switch (effect) {
    case 'remove':
      await deps.workspaceNotifications.remove(notification);
      return;
    case 'expire_claim':
      await update(deps, expired(deps, notification), notification.version);
      return;
    default: {
      if (await isObsolete(deps, notification, effect)) return dropObsolete(deps, notification);
      const { timings } = deps;
      const claim = { owner: deps.owner, startedAt: now, expiresAt: now + timings.claimMs };
      const mine = { ...notification, claim };
      if ((await update(deps, mine, notification.version)) !== 'updated') return;
      const guard = {
        inTime: () => deps.monotonic() - since <= timings.claimMs / 2,
        isHeld: async () => isHolder((await deps.workspaceNotifications.get(mine))?.record, mine),
      };
      if (isUnaddressed(mine)) await findAddressees(deps, mine, guard);
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
  return isToBePosted && notification.type === 'token_refused' && !(await isInForce(notification));
}

/** Keeps the notification while copies of it may still appear: they must be removed. */
async function dropObsolete(
  deps: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
): Promise<void> {
  const { delivery, version } = notification;
  if (delivery.tidies === undefined) await deps.workspaceNotifications.remove(notification);
  else await update(deps, { ...notification, delivery: givenUp(delivery, 'not_needed') }, version);
}

/**
 * The owner of the claim is gone. A post may have been made; a search or a tidy is simply repeated, over the same time as
 * before.
 */
function expired(
  { timings }: AdvanceNotificationDeps,
  { claim, ...notification }: WorkspaceNotification,
): WorkspaceNotification {
  if (!claim || notification.delivery.status !== 'owed') return notification;
  const { startedAt, expiresAt: until } = claim;
  const interrupted = { type: 'doubtful', code: 'interrupted' } as const;
  return applyNotificationResult(notification, interrupted, { ...timings, startedAt, until, now: startedAt });
}

type Mine<N extends WorkspaceNotification = WorkspaceNotification> = N & {
  claim: NonNullable<WorkspaceNotification['claim']>;
};

async function deliver(
  deps: AdvanceNotificationDeps,
  mine: Mine,
  guard: ClaimGuard,
  effect: 'post' | 'find',
): Promise<void> {
  const result = await deps.notifier[effect](mine, guard);
  const { startedAt } = mine.claim;
  await saveResult(deps, mine, (notification, now, isMine) => {
    const given = { ...deps.timings, startedAt, until: now, now };
    return (isMine ? applyNotificationResult : applyLateNotificationResult)(notification, result, given);
  });
}

async function tidy(deps: AdvanceNotificationDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  const result = await deps.notifier.tidy(mine, guard);
  if (result.type === 'tidied')
    deps.log.info({ notification: mine.id, ...result }, 'duplicate notifications removed');
  await saveResult(deps, mine, (notification, now, isMine) =>
    isMine ? applyNotificationTidy(notification, result, now) : notification,
  );
}

/** Finds the recipients. The notification is removed once each of them has one of their own. */
async function findAddressees(
  deps: AdvanceNotificationDeps,
  mine: Mine<TokenNotification>,
  guard: ClaimGuard,
): Promise<void> {
  const found = await deps.notifier.addressees(mine, guard);
  if (found.type === 'found' && found.people.length > 0) {
    await notifyEach(deps, mine, found.people);
    await deps.workspaceNotifications.remove(mine);
    return;
  }
  const result = found.type === 'found' ? ({ type: 'refused', code: 'no_recipient' } as const) : found;
  const { startedAt } = mine.claim;
  await saveResult(deps, mine, (notification, now, isMine) =>
    isMine
      ? applyNotificationResult(notification, result, { ...deps.timings, startedAt, until: now, now })
      : notification,
  );
}

/** Saves the result, whatever else was written meanwhile. */
async function saveResult(
  deps: AdvanceNotificationDeps,
  mine: Mine,
  change: (notification: WorkspaceNotification, now: number, isMine: boolean) => WorkspaceNotification,
): Promise<void> {
  for (;;) {
    const read = await deps.workspaceNotifications.get(mine);
    if (!read) return;
    const next = change(read.record, read.now, isHolder(read.record, mine));
    if (next === read.record) return;
    if ((await update(deps, next, read.record.version)) !== 'updated') continue;
    if (read.record.delivery.status !== 'given_up') logUndelivered(deps.log, next);
    return;
  }
}

/** Whether the notification carries exactly this claim. */
function isHolder(
  notification: WorkspaceNotification | undefined,
  { claim: { owner, startedAt } }: Mine,
): boolean {
  return notification?.claim?.owner === owner && notification.claim.startedAt === startedAt;
}

/**
 * Logs a notification that could not be delivered. It belongs to no request, so nobody else can be told. It stays in
 * the inbox like any other.
 */
function logUndelivered(log: Log, notification: WorkspaceNotification): void {
  const { id, workspace, delivery } = notification;
  if (delivery.status !== 'given_up') return;
  const { code } = delivery;
  if (notification.type === 'event') {
    const { channel } = notification;
    log.error(
      { notification: id, workspace, channel, code },
      'event not posted to the notifications channel',
    );
  } else {
    const { to: user } = notification;
    const what = notification.type === 'policy_unmet' ? 'too few people can approve' : 'the token is refused';
    log.error({ notification: id, workspace, user, code }, `admin not notified: ${what}`);
  }
}

const update = (
  { workspaceNotifications }: AdvanceNotificationDeps,
  notification: WorkspaceNotification,
  expected: number,
) => workspaceNotifications.update(notificationEntry(notification), expected);
