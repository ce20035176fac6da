/** Keeps the events that belong to no request, and sees to it that they are told. */

import type { ServiceEvent } from '../model/cause.ts';
import type { IncomingEvent } from '../model/events/apply-event.ts';
import type { Kind } from '../model/kinds.ts';
import { newEventNotification } from '../model/workspace-notification.ts';
import type { Wake, WorkspaceNotificationStore, Workspaces } from '../ports/ports.ts';
import { notificationEntry } from '../store/entry.ts';

export type InboxDeps = {
  workspaceNotifications: WorkspaceNotificationStore;
  workspaces: Workspaces;
  wake: Wake;
  /** Whether another workspace of the same organization has asked for it: then it is kept, and told nowhere here. */
  requestedBySibling: (heard: IncomingEvent) => Promise<boolean>;
};

export type Inbox = {
  /** @throws where the storage is away: nothing was kept */
  put(workspace: string, kind: Kind, event: ServiceEvent): Promise<void>;
};

export function createInbox({
  workspaceNotifications,
  workspaces,
  wake,
  requestedBySibling: askedBeside,
}: InboxDeps): Inbox {
  return {
    async put(workspace, kind, event) {
      const { notificationsChannel: channel } = await workspaces.settings(workspace);
      const isTheirs = channel !== undefined && (await askedBeside({ workspace, kind, event }));
      const keptBecause = isTheirs ? 'asked_elsewhere' : undefined;
      const notification = newEventNotification(
        { workspace, kind, event, channel, keptBecause },
        await workspaceNotifications.now(),
      );
      const { type } = await workspaceNotifications.create(notificationEntry(notification));
      if (type === 'created') wake(notification);
    },
  };
}
