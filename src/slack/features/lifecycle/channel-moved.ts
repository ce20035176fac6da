/**
 * A private channel has another id from now on, because somebody begins to share it. That is the one case in which Slack
 * tells of a new id (https://docs.slack.dev/reference/events/channel_id_changed): a channel that is shared no longer gets
 * one in the workspaces that were guests, and `channel_not_found` is all that the former id gives there
 * (https://docs.slack.dev/apis/slack-connect/).
 */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

export function channelMovedEvent({
  channelMoved,
  directory,
}: ListenerDeps): Listener<EventArgs<'channel_id_changed'>> {
  return ({ event: { old_channel_id: from, new_channel_id: to }, context }) => {
    const workspace = workspaceOf(context);
    directory.forgetChannel(workspace, from);
    return channelMoved({ workspace, from, to });
  };
}
