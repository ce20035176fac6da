import { addChannel } from './channels.ts';
import type { Channel, Message } from './types.ts';
import { userOf } from './users.ts';
import type { World } from './world.ts';

/** Shares a channel with another workspace: of another company (Slack Connect), or of the same organization. */
export function shareChannel(world: World, channel: Channel, team: string): void {
  channel.connected_team_ids = [...new Set([...channel.connected_team_ids, team])];
  world.changes.publish({ type: 'channel_shared', channel, team });
}

/**
 * Ends the sharing. The host keeps the channel and its id. The guest workspace gets a copy with another id, its own
 * people and all messages so far. There the former id is not found any more, and no event names the new one
 * (https://docs.slack.dev/apis/slack-connect/, "Beware of frozen and disconnected channels"). No page says which id the guest
 * gets in channel_unshared: here both sides get the former one.
 */
export function unshareChannel(world: World, channel: Channel, team: string): Channel {
  if (!channel.connected_team_ids.includes(team))
    throw new Error(`#${channel.name} is not shared with ${team}`);
  const leaving = [...channel.members].filter((member) => userOf(world, member).team_id === team);
  const { name, kind, creator, is_archived } = channel;
  const copy = addChannel(world, { team_id: team, name, kind, creator, is_archived, members: leaving });
  for (const message of channel.messages.values()) copy.messages.set(message.ts, copied(message, copy));
  channel.connected_team_ids = channel.connected_team_ids.filter((other) => other !== team);
  for (const member of leaving) channel.members.delete(member);
  world.changes.publish({ type: 'channel_unshared', channel, team, copy });
  return copy;
}

const copied = (message: Message, { id }: Channel): Message => ({
  ...message,
  channel: id,
  reactions: new Map(message.reactions),
});

/**
 * Gives a private channel another id, as Slack does when somebody begins to share it
 * (https://docs.slack.dev/reference/events/channel_id_changed). Its people and its messages stay.
 */
export function moveChannel(world: World, channel: Channel): Channel {
  const from = channel.id;
  world.channels.delete(from);
  channel.id = world.nextId('C');
  world.channels.set(channel.id, channel);
  for (const message of channel.messages.values()) message.channel = channel.id;
  world.changes.publish({ type: 'channel_moved', from, channel });
  return channel;
}
