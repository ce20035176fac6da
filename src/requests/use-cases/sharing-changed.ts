/** Use case: a channel becomes shared with another company, or is shared no longer, while requests are shown in it. */

import { channelsOf, type RequestRecord } from '../model/record.ts';
import { withSharing } from '../model/sharing.ts';
import type { Directory, RequestStore } from '../ports/ports.ts';
import { type ChangeDeps, changeRecord } from '../store/change-record.ts';
import { channelSubject } from '../store/entry.ts';

/** More open requests than any workspace has at a time. */
const MOST_OPEN = 1_000;
/** Of those that have ended, the newest are shown anew: each takes one of the few updates that Slack allows a minute. */
const MOST_ENDED = 200;

export type SharingDeps = ChangeDeps & { directory: Directory };

/**
 * Shows what stands in a channel anew, as whoever reads it now may read it. Events come late, twice and in any order: what
 * counts is what Slack says of the channel at this moment, and one that can't be seen counts as shared.
 *
 * @throws where the storage or Slack is away: Slack must tell again, and by then what was written is not written twice
 */
export async function sharingChanged(
  deps: SharingDeps,
  { workspace, channel }: { workspace: string; channel: string },
): Promise<void> {
  const records = await shownIn(deps.store, workspace, channel);
  if (records.length === 0) return;
  const isShared = (await deps.directory.channelNow(workspace, channel))?.isShared ?? true;
  for (const { id } of records) {
    await changeRecord(deps, { workspace, id }, (record, now) => ({
      record: shownAnew(record, channel, isShared, now),
      result: undefined,
    }));
  }
}

/** The requests that are shown in a channel: all that are open, and the newest of those that have ended. */
export async function shownIn(
  store: RequestStore,
  workspace: string,
  channel: string,
): Promise<RequestRecord[]> {
  const [open, newest] = await Promise.all([
    store.listHolding(workspace, MOST_OPEN),
    store.listBySubject(workspace, channelSubject(channel), MOST_ENDED),
  ]);
  const found = new Map([...open, ...newest].map((record) => [record.id, record]));
  return [...found.values()].filter((record) => channelsOf(record).includes(channel));
}

/** In the channel of the approvers nothing is known of the record's: it is looked at again when its message is updated. */
function shownAnew(record: RequestRecord, channel: string, isShared: boolean, now: number): RequestRecord {
  if (record.channel === channel) return withSharing(record, isShared, now);
  return { ...record, revision: record.revision + 1 };
}
