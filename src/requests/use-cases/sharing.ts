/** Whether people of another company read the channel of a card, as far as it is known. */
import type { Directory, Workspaces } from '../ports/ports.ts';

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
