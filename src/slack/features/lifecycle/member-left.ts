/** Somebody has left a channel: its members may be those who approve. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @see https://docs.slack.dev/reference/events/member_left_channel */
export function memberLeftEvent({
  directory,
  approversChanged,
}: ListenerDeps): Listener<EventArgs<'member_left_channel'>> {
  return async ({ event: { channel, user }, context }) => {
    const workspace = workspaceOf(context);
    if (user === context.botUserId) return directory.forgetChannel(workspace, channel);
    directory.forgetMember(workspace, channel, user);
    await approversChanged({ workspace, channel });
  };
}
