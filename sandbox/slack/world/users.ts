/** People and bots: their roles, and who can see whom across workspaces, organizations and Slack Connect. */
import type { Channel, RoleFlags, User } from './types.ts';
import type { World } from './world.ts';

export type Role = 'member' | 'admin' | 'owner' | 'guest' | 'single_channel_guest';

export function roleFlags(role: Role): RoleFlags {
  return {
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_restricted: role === 'guest' || role === 'single_channel_guest',
    is_ultra_restricted: role === 'single_channel_guest',
  };
}

/** A person or bot to add. `elsewhere`: their roles in other workspaces of the organization. */
export type NewUser = Partial<Omit<User, keyof RoleFlags | 'elsewhere'>> &
  Pick<User, 'team_id' | 'name'> & { role?: Role; elsewhere?: Record<string, Role> };

export function addUser(world: World, { role = 'member', elsewhere = {}, ...given }: NewUser): User {
  const roles = Object.entries(elsewhere).map(([team, there]) => [team, roleFlags(there)]);
  const user: User = {
    id: world.nextId('U'),
    real_name: given.name,
    is_bot: false,
    deleted: false,
    ...roleFlags(role),
    ...given,
    ...(roles.length > 0 && { elsewhere: Object.fromEntries(roles) }),
  };
  world.users.set(user.id, user);
  return user;
}

export function userOf(world: World, id: string): User {
  const user = world.users.get(id);
  if (!user) throw new Error(`there is no user ${id}`);
  return user;
}

export const teamsOfUser = ({ team_id, elsewhere = {} }: User): string[] => [
  team_id,
  ...Object.keys(elsewhere),
];

/** Returns a person's role in a workspace that they are in; of any other one, that in their own. */
export const rolesIn = (user: User, teamId: string): RoleFlags => user.elsewhere?.[teamId] ?? user;

/** Returns the workspace in which a person acts: that of the channel, if they are in it, or else their own. */
export function actingIn(user: User, channel: Channel | undefined): string {
  return teamsOfUser(user).find((team) => team === channel?.team_id) ?? user.team_id;
}

/** Returns the workspace that an interaction names as that of a person who acts in a channel or, without one, in their own. */
export const teamNamed = ({ app }: World, user: User, channel?: Channel): string =>
  app.namedTeam === 'own' ? user.team_id : actingIn(user, channel);

export function workspacesOf(world: World, id: string): string[] {
  if (!world.enterprises.has(id)) return [id];
  return [...world.teams.values()].filter(({ enterprise_id }) => enterprise_id === id).map((team) => team.id);
}

/** Whether people of a workspace (or an organization) can see a user: their own, and those they share a channel with. */
export function isUserVisible(world: World, teamId: string, user: User): boolean {
  const own = workspacesOf(world, teamId);
  if (teamsOfUser(user).some((team) => own.includes(team)) || user.team_id === teamId) return true;
  return [...world.channels.values()].some(
    (channel) => channel.members.has(user.id) && own.some((team) => isInTeam(channel, team)),
  );
}

/**
 * Whether a user is of another company that shares channels with this one, and is in none of these. People here learn of
 * them when a colleague of such a user mentions them (https://docs.slack.dev/apis/slack-connect/, "External members").
 */
export function isExternalUser(world: World, teamId: string, user: User): boolean {
  if (!isOfOtherCompany(world, teamId, user) || isUserVisible(world, teamId, user)) return false;
  const own = workspacesOf(world, teamId);
  return [...world.channels.values()].some(
    (channel) => isInTeam(channel, user.team_id) && own.some((team) => isInTeam(channel, team)),
  );
}

/** Whether a user is neither of a workspace nor of its organization. */
export const isOfOtherCompany = (world: World, teamId: string, user: User): boolean =>
  !isSameCompany(world, user.team_id, teamId);

export const isSameCompany = (world: World, one: string, other: string): boolean =>
  companyOf(world, one) === companyOf(world, other);

/** Returns the organization of a workspace, or the workspace itself if it has none. */
const companyOf = (world: World, teamId: string) => world.teams.get(teamId)?.enterprise_id ?? teamId;

/** Whether a channel is shared with another company, and not only within an organization. */
export const isExternallyShared = (world: World, { team_id, connected_team_ids }: Channel): boolean =>
  connected_team_ids.some((team) => !isSameCompany(world, team, team_id));

export function isInTeam(channel: Channel, teamId: string): boolean {
  return channel.team_id === teamId || channel.connected_team_ids.includes(teamId);
}
