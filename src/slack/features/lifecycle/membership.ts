/** Clears what is cached of channels and user groups, when Slack reports a change of them. */
import { type EventArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @see https://docs.slack.dev/reference/events/channel_left and https://docs.slack.dev/reference/events/group_left */
export function botLeftEvent({
  directory,
}: ListenerDeps): Listener<EventArgs<'channel_left' | 'group_left'>> {
  return async ({ event: { channel }, context }) => directory.forgetChannel(workspaceOf(context), channel);
}

/**
 * Replaces the id of a private channel, which Slack changes when somebody begins to share the channel. Slack reports no
 * other new id (https://docs.slack.dev/reference/events/channel_id_changed). When the sharing ends, the channel gets a new
 * id in the workspaces that were guests, without an event, and its former id yields `channel_not_found` there
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

/** Acknowledges once the updates are recorded; otherwise Slack delivers the event again. */
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
