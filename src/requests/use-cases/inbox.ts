/** Stores the events that belong to no request, and has them posted. */

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
  /**
   * Whether another workspace of the same organization made the request: then the event is stored here and not posted.
   */
  requestedBySibling: (incoming: IncomingEvent) => Promise<boolean>;
};

export type Inbox = {
  /** @throws if the storage is unavailable: nothing was stored */
  put(workspace: string, kind: Kind, event: ServiceEvent): Promise<void>;
};

export function createInbox({
  workspaceNotifications,
  workspaces,
  wake,
  requestedBySibling,
}: InboxDeps): Inbox {
  return {
    async put(workspace, kind, event) {
      const { notificationsChannel: channel } = await workspaces.settings(workspace);
      const isTheirs = channel !== undefined && (await requestedBySibling({ workspace, kind, event }));
      const keptBecause = isTheirs ? 'requested_by_sibling' : undefined;
      const notification = newEventNotification(
        { workspace, kind, event, channel, keptBecause },
        await workspaceNotifications.now(),
      );
      const { type } = await workspaceNotifications.create(notificationEntry(notification));
      if (type === 'created') wake(notification);
    },
  };
}
