/** Whether people of another company read the channel of a card, as far as it is known. */
import type { Found, Posting, Updating } from './delivery.ts';
import { withNote } from './notes.ts';
import type { Directory, Workspaces } from './ports.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';

/** How old a look at a channel may be: Slack allows some fifty a minute, and a busy channel must not use them up. */
export const LOOK_MS = 5_000;

/** Whether another company reads a channel and, if so, whether requests may be posted there all the same. */
export type Sharing = 'none' | 'allowed' | 'refused';

/** What an agent should know before they submit. One that can't be seen is told of when they do. @throws where Slack or the storage is away */
export async function sharingOf(
  { directory, workspaces }: { directory: Directory; workspaces: Pick<Workspaces, 'settings'> },
  { workspace, channel }: { workspace: string; channel: string },
): Promise<Sharing> {
  const [found, { sharedChannels }] = await Promise.all([
    directory.channelNow(workspace, channel, LOOK_MS),
    workspaces.settings(workspace),
  ]);
  if (!found?.isShared) return 'none';
  return sharedChannels ? 'allowed' : 'refused';
}

/** The record with what is known of its card's channel. Whoever asked hears once that it is shared now. */
export function withSharing(record: RequestRecord, inSharedChannel: boolean, now: number): RequestRecord {
  if (record.inSharedChannel === inSharedChannel) return record;
  const next = { ...record, inSharedChannel, revision: record.revision + 1 };
  const isTold = record.notes.some(({ type }) => type === 'shared');
  const isNews = inSharedChannel && STATES[record.state].slot && !isTold;
  return isNews ? withNote(next, { type: 'shared' }, now) : next;
}

/** The same after something was shown: whoever showed it has looked at the channel. */
export function withSharingSeen(
  record: RequestRecord,
  result: Posting | Updating | Found,
  now: number,
): RequestRecord {
  return 'inSharedChannel' in result && result.inSharedChannel ? withSharing(record, true, now) : record;
}
