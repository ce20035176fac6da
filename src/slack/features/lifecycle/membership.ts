/** Events about channels and user groups: what was read of them is read anew. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @see https://docs.slack.dev/reference/events/channel_left and https://docs.slack.dev/reference/events/group_left */
export function botLeftEvent({
  directory,
}: ListenerDeps): Listener<EventArgs<'channel_left' | 'group_left'>> {
  return async ({ event: { channel }, context }) => directory.forgetChannel(workspaceOf(context), channel);
}

/**
 * A private channel has another id from now on, because somebody begins to share it. That is the one case in which Slack
 * tells of a new id (https://docs.slack.dev/reference/events/channel_id_changed): a channel that is shared no longer gets
 * one in the workspaces that were guests, and `channel_not_found` is all that the former id gives there
 * (https://docs.slack.dev/apis/slack-connect/).
 */
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

/**
 * @see https://docs.slack.dev/reference/events/subteam_updated, which also tells that a group was disabled
 * @see https://docs.slack.dev/reference/events/subteam_members_changed
 */
export function groupChangedEvent({
  directory,
  approversChanged,
}: ListenerDeps): Listener<EventArgs<'subteam_updated' | 'subteam_members_changed'>> {
  return async ({ event, context }) => {
    const workspace = workspaceOf(context);
    const group = event.type === 'subteam_updated' ? event.subteam.id : event.subteam_id;
    directory.forgetGroup(workspace, group);
    await approversChanged({ workspace, group });
  };
}
