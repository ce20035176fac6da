/** Use case: a private channel gets a new id, which Slack assigns when the channel becomes shared. */

import { channelsOf } from '../model/facts/messages.ts';
import type { RequestRecord } from '../model/record.ts';
import { changeRecord } from '../store/change-record.ts';
import { type SharingDeps, sharingChanged, shownIn } from './sharing.ts';

export type ChannelMovedDeps = SharingDeps & {
  /** Renames the channel in the settings: the notifications channel and the approvals channel. */
  renameInSettings: (workspace: string, from: string, to: string) => Promise<void>;
};

/** @throws if the storage or Slack is unavailable: Slack must deliver the event again */
export async function channelMoved(
  deps: ChannelMovedDeps,
  { workspace, from, to }: { workspace: string; from: string; to: string },
): Promise<void> {
  await deps.renameInSettings(workspace, from, to);
  for (const { id } of await shownIn(deps.store, workspace, from)) {
    await changeRecord(deps, { workspace, id }, (record) => ({
      record: channelsOf(record).includes(from) ? withChannel(record, from, to) : record,
      result: undefined,
    }));
  }
  await sharingChanged(deps, { workspace, channel: to });
}

/** Replaces the channel id everywhere in the record: in its messages and in the policy. */
function withChannel(record: RequestRecord, from: string, to: string): RequestRecord {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      key === 'channel' && inner === from ? to : renamed(inner),
    ]);
    return Object.fromEntries(entries);
  };
  return renamed(record) as RequestRecord;
}
