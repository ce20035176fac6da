/** Tells whether people of another company read the channel of a card. */
import type { Directory, Workspaces } from '../ports/ports.ts';

/**
 * The maximum age of channel data: Slack allows about fifty reads a minute, and a busy channel must not use them up.
 */
export const LOOK_MS = 5_000;

/** Whether another company reads a channel and, if so, whether requests may be posted there anyway. */
export type Sharing = 'none' | 'allowed' | 'refused';

/**
 * Tells an agent about the sharing before they submit. An invisible channel is reported on submission.
 *
 * @throws if Slack or the storage is unavailable
 */
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
