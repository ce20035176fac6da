/** Performs one claimed effect of a notification, and saves its result. Each function throws if the storage fails. */

import { withChannel } from '../model/changes/moved-channel.ts';
import {
  applyLateNotificationResult,
  applyNotificationResult,
  applyNotificationTidy,
  applyNotificationUpdate,
} from '../model/changes/notification-delivery.ts';
import { afterLateUpdate } from '../model/messages/upkeep.ts';
import type { Timings } from '../model/pending-effects.ts';
import {
  type AdminsNotification,
  channelOf,
  recipientOf,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import type { Notifier } from '../ports/messenger.ts';
import type { ClaimGuard, Log, Wake, WorkspaceNotificationStore } from '../ports/ports.ts';
import { notificationEntry } from '../store/entry.ts';
import { notifyEach } from '../store/notify-admins.ts';

export type NotificationEffectDeps = {
  workspaceNotifications: WorkspaceNotificationStore;
  notifier: Notifier;
  wake: Wake;
  /** The notifications channel in the settings. @throws if these can't be read */
  notificationsChannel: (workspace: string) => Promise<string | undefined>;
  timings: Timings;
  log: Log;
};

type Mine<N extends WorkspaceNotification = WorkspaceNotification> = N & {
  claim: NonNullable<WorkspaceNotification['claim']>;
};

/** Posts the notification, or searches for one that may have been posted. */
export async function deliver(
  deps: NotificationEffectDeps,
  mine: Mine,
  guard: ClaimGuard,
  effect: 'post' | 'find',
): Promise<void> {
  const { notifier } = deps;
  const result = await (effect === 'post' ? notifier.post(mine, guard) : notifier.find(mine, guard));
  const { startedAt } = mine.claim;
  await saveResult(deps, { mine, result }, (notification, now, isMine) => {
    const given = { ...deps.timings, startedAt, until: now, now };
    if (!isMine) return applyLateNotificationResult(notification, result, given);
    const shown = effect === 'post' && mine.type === 'unmatched_events' ? mine.summed : 0;
    return applyNotificationResult(notification, result, given, shown);
  });
}

/** Updates the message that counts events. */
export async function showCount(deps: NotificationEffectDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  if (mine.type !== 'unmatched_events') return;
  const { summed: rendered } = mine;
  const result = await deps.notifier.update(mine, guard);
  await saveResult(deps, { mine, result }, (notification, now, isMine) => {
    if (notification.type !== 'unmatched_events') return notification;
    const given = { ...deps.timings, rendered, now };
    if (isMine) return applyNotificationUpdate(notification, result, given);
    const isWritten = result.type === 'posted' || result.type === 'doubtful';
    return isWritten ? afterLateUpdate(notification, result, given) : notification;
  });
}

/** Removes all copies of the notification but one. */
export async function tidy(deps: NotificationEffectDeps, mine: Mine, guard: ClaimGuard): Promise<void> {
  const result = await deps.notifier.tidy(mine, guard);
  if (result.type === 'tidied')
    deps.log.info({ notification: mine.id, ...result }, 'duplicate notifications removed');
  await saveResult(deps, { mine, result }, (notification, now, isMine) =>
    isMine ? applyNotificationTidy(notification, result, now) : notification,
  );
}

/** Finds the recipients. The notification is removed once each of them has one of their own. */
export async function findAddressees(
  deps: NotificationEffectDeps,
  mine: Mine<AdminsNotification>,
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
  await saveResult(deps, { mine, result }, (notification, now, isMine) =>
    isMine
      ? applyNotificationResult(notification, result, { ...deps.timings, startedAt, until: now, now })
      : notification,
  );
}

type Done = { mine: Mine; result: { type: string; code?: string } };

/** Saves the result, whatever else was written meanwhile. */
async function saveResult(
  deps: NotificationEffectDeps,
  { mine, result }: Done,
  change: (notification: WorkspaceNotification, now: number, isMine: boolean) => WorkspaceNotification,
): Promise<void> {
  const moved = await movedTo(deps, { mine, result });
  for (;;) {
    const read = await deps.workspaceNotifications.get(mine);
    if (!read) return;
    const isMine = isHolder(read.record, mine);
    const next = moved && isMine ? moved(read.record) : change(read.record, read.now, isMine);
    if (next === read.record) return;
    if ((await updateNotification(deps, next, read.record.version)).type !== 'updated') continue;
    if (read.record.delivery.status !== 'given_up') logUndelivered(deps.log, next);
    return;
  }
}

/**
 * Follows the notifications channel where the one of the notification is gone: Slack gives a private channel that becomes shared
 * another id, which the settings have by then.
 *
 * @returns moves the notification there, where the same effect is tried again; undefined if the channel is the same
 */
async function movedTo(
  { notificationsChannel }: NotificationEffectDeps,
  { mine, result }: Done,
): Promise<((notification: WorkspaceNotification) => WorkspaceNotification) | undefined> {
  const from = channelOf(mine);
  if (from === undefined || result.code !== 'channel_not_found') return undefined;
  const to = await notificationsChannel(mine.workspace);
  if (to === undefined || to === from) return undefined;
  return ({ claim: _released, ...notification }) => withChannel(notification, from, to);
}

/** Whether the notification carries exactly this claim. */
export function isHolder(
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
  const what = ABOUT[notification.type];
  const channel = channelOf(notification);
  const fields = { notification: id, workspace, code };
  if (channel !== undefined)
    log.error({ ...fields, channel }, `${what} not posted to the notifications channel`);
  else log.error({ ...fields, user: recipientOf(notification) }, `admin not notified: ${what}`);
}

const ABOUT: Record<WorkspaceNotification['type'], string> = {
  event: 'event',
  unmatched_events: 'count of events',
  sending_paused: 'pause',
  sending_resumed: 'end of a pause',
  token_refused: 'the token is refused',
  events_refused: 'events have no valid signature',
  limit_met: 'a person has met the limit of requests',
  policy_unmet: 'too few people can approve',
};

/** Writes the notification over version `expected`, if that is the current one. */
export const updateNotification = (
  { workspaceNotifications }: NotificationEffectDeps,
  notification: WorkspaceNotification,
  expected: number,
) => workspaceNotifications.update(notificationEntry(notification), expected);
