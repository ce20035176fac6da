/** Creates notifications for admins: a refused token, events without a valid signature, a person who met their limit. */

import {
  type AdminsNotification,
  addressedTo,
  newTokenNotification,
  type RefusedToken,
  type WorkspaceNotification,
} from '../model/workspace-notification.ts';
import type { Wake, WorkspaceNotificationStore } from '../ports/ports.ts';
import { notificationEntry } from './entry.ts';

export type NotifyAdminsDeps = { workspaceNotifications: WorkspaceNotificationStore; wake: Wake };

/** Creates the notification of a refused token. @throws if the storage is unavailable: nobody will be told */
export async function notifyAdmins(deps: NotifyAdminsDeps, refused: RefusedToken): Promise<void> {
  await keepNotification(deps, newTokenNotification(refused, await deps.workspaceNotifications.now()));
}

/** Creates a notification for each recipient. @throws as above; a repeated call notifies nobody twice */
export async function notifyEach(
  deps: NotifyAdminsDeps,
  notification: AdminsNotification,
  people: readonly string[],
): Promise<void> {
  const now = await deps.workspaceNotifications.now();
  for (const to of people) await keepNotification(deps, addressedTo(notification, now, to));
}

/** Stores a notification and wakes the runner. @throws if the storage is unavailable: nobody will be told */
export async function keepNotification(
  { workspaceNotifications, wake }: NotifyAdminsDeps,
  notification: WorkspaceNotification,
): Promise<void> {
  const { type } = await workspaceNotifications.create(notificationEntry(notification));
  if (type === 'created') wake(notification);
}
