/** A channel was shared with another company, or is shared no longer. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** Acknowledged once what stands there is to be shown anew, and that is written down: else Slack tells again. */
export function channelSharingEvent({
  sharingChanged,
}: ListenerDeps): Listener<EventArgs<'channel_shared' | 'channel_unshared'>> {
  return ({ event: { channel }, context }) => sharingChanged({ workspace: workspaceOf(context), channel });
}
