/** Keeps the events that belong to no request, and sees to it that they are told. */
import type { ServiceEvent } from './cause.ts';
import type { Kind } from './kinds.ts';
import { newNotice, noticeEntry } from './notice.ts';
import type { NoticeStore, Trigger, Workspaces } from './ports.ts';

export type InboxDeps = { notices: NoticeStore; workspaces: Workspaces; trigger: Trigger };

export type Inbox = {
  /** @throws where the storage is away: nothing was kept */
  put(workspace: string, kind: Kind, event: ServiceEvent): Promise<void>;
};

export function createInbox({ notices, workspaces, trigger }: InboxDeps): Inbox {
  return {
    async put(workspace, kind, event) {
      const { notificationsChannel: channel } = await workspaces.settings(workspace);
      const notice = newNotice({ workspace, kind, event, channel }, await notices.now());
      const { type } = await notices.create(noticeEntry(notice));
      if (type === 'created') trigger(notice);
    },
  };
}
