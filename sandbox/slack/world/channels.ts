import type { Channel, Message, User } from './types.ts';
import { isInTeam, rolesIn, teamsOfUser, userOf } from './users.ts';
import type { World } from './world.ts';

export type NewChannel = Partial<Omit<Channel, 'members' | 'messages'>> &
  Pick<Channel, 'team_id' | 'name'> & { members?: Iterable<string> };

export function addChannel(world: World, { members = [], ...given }: NewChannel): Channel {
  const channel: Channel = {
    id: world.nextId(given.kind === 'im' ? 'D' : 'C'),
    kind: 'public',
    is_archived: false,
    connected_team_ids: [],
    ...given,
    members: new Set(members),
    messages: new Map(),
  };
  world.channels.set(channel.id, channel);
  world.changes.publish({ type: 'channel_created', channel });
  return channel;
}

export function channelOf(world: World, id: string): Channel {
  const channel = world.channels.get(id);
  if (!channel) throw new Error(`there is no channel ${id}`);
  return channel;
}

/** Finds a channel by id, or by a name of the workspace, with or without #; any workspace if none is given. */
export function findChannel(world: World, idOrName: string, teamId?: string): Channel | undefined {
  const name = idOrName.replace(/^#/, '');
  const isMeant = (channel: Channel) =>
    channel.name === name && (teamId === undefined || isInTeam(channel, teamId));
  return world.channels.get(idOrName) ?? [...world.channels.values()].find(isMeant);
}

/** Whether a user can see a channel: public ones of their company, and those that they are in. */
export function isChannelVisible(channel: Channel, user: User): boolean {
  if (channel.members.has(user.id)) return true;
  if (channel.kind !== 'public') return false;
  return teamsOfUser(user).some((team) => isInTeam(channel, team) && !rolesIn(user, team).is_restricted);
}

export function directMessage(world: World, one: string, other: string, teamId: string): Channel {
  const existing = findDirectMessage(world, one, other);
  if (existing) return existing;
  return addChannel(world, { team_id: teamId, name: '', kind: 'im', members: [one, other] });
}

export function findDirectMessage(world: World, one: string, other: string): Channel | undefined {
  return [...world.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(one) && members.has(other),
  );
}

export function joinChannel(world: World, channel: Channel, user: string): void {
  if (channel.members.has(user)) return;
  channel.members.add(user);
  world.changes.publish({ type: 'member_joined', channel, user });
}

export function leaveChannel(world: World, channel: Channel, user: string): void {
  if (channel.members.delete(user)) world.changes.publish({ type: 'member_left', channel, user });
}

export function channelScope(kind: Channel['kind'], what: 'read' | 'history'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[kind];
  return `${family}:${what}`;
}

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
  const { name, kind, is_archived } = channel;
  const copy = addChannel(world, { team_id: team, name, kind, is_archived, members: leaving });
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
