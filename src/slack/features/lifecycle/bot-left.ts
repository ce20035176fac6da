/** The bot was taken out of a channel, public or private. Slack tells of it at times, and at times not. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @see https://docs.slack.dev/reference/events/channel_left and https://docs.slack.dev/reference/events/group_left */
export function botLeftEvent({
  directory,
}: ListenerDeps): Listener<EventArgs<'channel_left' | 'group_left'>> {
  return async ({ event: { channel }, context }) => directory.forgetChannel(workspaceOf(context), channel);
}
