import type { Channel, User } from './types.ts';
import { isInTeam, rolesIn, teamsOfUser } from './users.ts';
import type { World } from './world.ts';

/** A channel to add. */
export type NewChannel = {
  team_id: string;
  name: string;
  id?: string;
  kind?: Channel['kind'];
  creator?: string;
  members?: Iterable<string>;
  is_archived?: boolean;
  connected_team_ids?: string[];
};

/** Adds a channel to a workspace. */
export function addChannel(world: World, { members = [], ...given }: NewChannel): Channel {
  const channel: Channel = {
    id: world.nextId(given.kind === 'im' ? 'D' : 'C'),
    kind: 'public',
    is_archived: false,
    connected_team_ids: [],
    creator: 'USLACKBOT',
    ...given,
    members: new Set(members),
    created: Math.floor(world.now() / 1000),
    messages: new Map(),
  };
  world.channels.set(channel.id, channel);
  world.changes.publish({ type: 'channel_created', channel });
  return channel;
}

/** Returns a channel; throws if there is none. */
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

/** Returns the direct message between two users; opens it if there is none yet. */
export function directMessage(world: World, one: string, other: string, teamId: string): Channel {
  const existing = findDirectMessage(world, one, other);
  if (existing) return existing;
  return addChannel(world, { team_id: teamId, name: '', kind: 'im', creator: one, members: [one, other] });
}

/** Returns the direct message between two users, if they have one. */
export function findDirectMessage(world: World, one: string, other: string): Channel | undefined {
  return [...world.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(one) && members.has(other),
  );
}

/** Adds a user to a channel. */
export function joinChannel(world: World, channel: Channel, user: string): void {
  if (channel.members.has(user)) return;
  channel.members.add(user);
  world.changes.publish({ type: 'member_joined', channel, user });
}

/** Removes a user from a channel. */
export function leaveChannel(world: World, channel: Channel, user: string): void {
  if (channel.members.delete(user)) world.changes.publish({ type: 'member_left', channel, user });
}

/** Returns the scope for reading a kind of channel, or its history. */
export function channelScope(kind: Channel['kind'], what: 'read' | 'history'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[kind];
  return `${family}:${what}`;
}
