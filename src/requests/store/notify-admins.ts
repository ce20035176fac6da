/** Use case: the service does not accept a workspace's token any more. Admins are told, once for each connection. */

import {
  newTokenNotification,
  type RefusedToken,
  type TokenNotification,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import type { Wake, WorkspaceNotificationStore } from '../ports/ports.ts';
import { notificationEntry } from './entry.ts';

export type NotifyAdminsDeps = { workspaceNotifications: WorkspaceNotificationStore; wake: Wake };

/** @throws where the storage is away: nobody will be told */
export async function notifyAdmins(deps: NotifyAdminsDeps, refused: RefusedToken): Promise<void> {
  await keepNotification(deps, newTokenNotification(refused, await deps.workspaceNotifications.now()));
}

/** A notification for each of them, which is told as often as it takes. @throws as above; done again, nobody is told twice */
export async function notifyEach(
  deps: NotifyAdminsDeps,
  notification: TokenNotification,
  people: readonly string[],
): Promise<void> {
  const now = await deps.workspaceNotifications.now();
  for (const to of people) await keepNotification(deps, newTokenNotification(notification, now, to));
}

/** @throws where the storage is away: nobody will be told */
export async function keepNotification(
  { workspaceNotifications, wake }: NotifyAdminsDeps,
  notification: WorkspaceNotification,
): Promise<void> {
  const { type } = await workspaceNotifications.create(notificationEntry(notification));
  if (type === 'created') wake(notification);
}
