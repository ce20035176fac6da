/** Keeps the events that belong to no request, and sees to it that they are told. */

import type { ServiceEvent } from '../model/cause.ts';
import type { Heard } from '../model/events/apply-event.ts';
import type { Kind } from '../model/kinds.ts';
import { newNotice } from '../model/workspace-notification.ts';
import type { NoticeStore, Trigger, Workspaces } from '../ports/ports.ts';
import { noticeEntry } from '../store/entry.ts';

export type InboxDeps = {
  notices: NoticeStore;
  workspaces: Workspaces;
  trigger: Trigger;
  /** Whether another workspace of the same organization has asked for it: then it is kept, and told nowhere here. */
  askedBeside: (heard: Heard) => Promise<boolean>;
};

export type Inbox = {
  /** @throws where the storage is away: nothing was kept */
  put(workspace: string, kind: Kind, event: ServiceEvent): Promise<void>;
};

export function createInbox({ notices, workspaces, trigger, askedBeside }: InboxDeps): Inbox {
  return {
    async put(workspace, kind, event) {
      const { notificationsChannel: channel } = await workspaces.settings(workspace);
      const isTheirs = channel !== undefined && (await askedBeside({ workspace, kind, event }));
      const keptBecause = isTheirs ? 'asked_elsewhere' : undefined;
      const notice = newNotice({ workspace, kind, event, channel, keptBecause }, await notices.now());
      const { type } = await notices.create(noticeEntry(notice));
      if (type === 'created') trigger(notice);
    },
  };
}
