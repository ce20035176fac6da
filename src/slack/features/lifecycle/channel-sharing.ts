/** A channel was shared with another company, or is shared no longer. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** Acknowledged once what stands there is to be shown anew, and that is written down: else Slack tells again. */
export function channelSharingEvent({
  sharingChanged,
  directory,
}: ListenerDeps): Listener<EventArgs<'channel_shared' | 'channel_unshared'>> {
  return ({ event: { channel }, context }) => {
    const workspace = workspaceOf(context);
    directory.forgetChannel(workspace, channel);
    return sharingChanged({ workspace, channel });
  };
}
