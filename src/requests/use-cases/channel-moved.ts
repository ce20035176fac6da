/** Use case: a private channel gets a new id, which Slack assigns when the channel becomes shared. */

import { withMovedChannel } from '../model/changes/moved-channel.ts';
import { channelsOf } from '../model/facts/messages.ts';
import { changeRecord } from '../store/change-record.ts';
import type { ChangedMembers } from './approvals/approvers-changed.ts';
import { type SharingDeps, sharingChanged, shownIn } from './sharing.ts';

export type ChannelMovedDeps = SharingDeps & {
  /** Renames the channel in the settings: the notifications channel and the approvals channel. */
  renameInSettings: (workspace: string, from: string, to: string) => Promise<void>;
  /** Counts who is left in a channel whose members approve (use case approversChanged). */
  approversChanged: (changed: ChangedMembers) => Promise<void>;
};

type Moved = { workspace: string; from: string; to: string };

/** @throws if the storage or Slack is unavailable: Slack must deliver the event again */
export function channelMoved(deps: ChannelMovedDeps, moved: Moved): Promise<void> {
  return deps.replicated(() => follow(deps, moved));
}

async function follow(deps: ChannelMovedDeps, { workspace, from, to }: Moved): Promise<void> {
  await deps.renameInSettings(workspace, from, to);
  for (const { id } of await shownIn(deps.store, workspace, from)) {
    await changeRecord(deps, { workspace, id }, (record) => ({
      record: channelsOf(record).includes(from) ? withMovedChannel(record, from, to) : record,
      result: undefined,
    }));
  }
  await sharingChanged(deps, { workspace, channel: to });
  // Nobody could tell who was left while the policies named the former id.
  await deps.approversChanged({ workspace, channel: to });
}
