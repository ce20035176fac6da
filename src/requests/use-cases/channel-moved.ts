/** Use case: a private channel gets another id, which is what Slack does when somebody begins to share it. */

import { channelsOf, type RequestRecord } from '../model/record.ts';
import { changeRecord } from '../store/change-record.ts';
import { type SharingDeps, sharingChanged, shownIn } from './sharing-changed.ts';

export type ChannelMovedDeps = SharingDeps & {
  /** In what the admins have set: where the bot announces things, and where it asks for approval. */
  renameInSettings: (workspace: string, from: string, to: string) => Promise<void>;
};

/** @throws where the storage or Slack is away: Slack must tell again */
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

/** The record with the new id wherever it names the channel: of its messages, and where its approvers look. */
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
