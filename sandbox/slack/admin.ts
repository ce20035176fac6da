import type { Journal } from '../lib/journal.ts';
import { addChannel, channelOf, joinChannel, leaveChannel, type NewChannel } from './world/channels.ts';
import { installApp, installationOf } from './world/installations.ts';
import type { Channel, Installation, Team, User, UserGroup } from './world/types.ts';
import { addUser, type NewUser, type Role, roleFlags, userOf } from './world/users.ts';
import type { World } from './world/world.ts';

/** What the people who run a workspace can do, by id. */
export type Admin = {
  addTeam(team: Partial<Team> & { name: string }): Team;
  addUser(user: NewUser): User;
  addChannel(channel: NewChannel): Channel;
  addUserGroup(group: Partial<UserGroup> & Pick<UserGroup, 'team_id' | 'name'>): UserGroup;
  setUserGroup(groupId: string, changes: Partial<Pick<UserGroup, 'users' | 'deleted'>>): void;
  invite(channelId: string, userId: string): void;
  kick(channelId: string, userId: string): void;
  archive(channelId: string): void;
  unarchive(channelId: string): void;
  /** Shares a channel with another company, or ends that. */
  share(channelId: string, teamId: string): void;
  unshare(channelId: string, teamId: string): void;
  setRole(userId: string, role: Role): void;
  deactivate(userId: string): void;
  install(teamId: string, options?: { scopes?: readonly string[]; token?: string }): Installation;
  /** The bot's token no longer works, and the app is told. */
  uninstall(teamId: string): void;
  revokeToken(teamId: string): void;
  setScopes(teamId: string, scopes: readonly string[]): void;
};

/** The administration of a world. Every act is written to the journal. */
export function createAdmin(world: World, journal: Journal): Admin {
  const acts = { ...teamActs(world), ...channelActs(world), ...installationActs(world, journal) };
  return recordCalls(acts, journal);
}

function recordCalls<T extends object>(acts: T, journal: Journal): T {
  const wrapped = Object.entries(acts).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      journal.record({ from: 'admin', to: 'slack', kind: 'person', name, request: args });
      return run(...args);
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

function teamActs(world: World) {
  const changeUser = (userId: string, changes: Partial<User>) => {
    const user = Object.assign(userOf(world, userId), changes);
    world.changes.publish({ type: 'user_changed', user });
  };
  return {
    addTeam: (given: Partial<Team> & { name: string }) => {
      const domain = given.name.toLowerCase().replaceAll(' ', '-');
      const team: Team = { id: world.nextId('T'), domain, ...given };
      world.teams.set(team.id, team);
      return team;
    },
    addUser: (user: NewUser) => addUser(world, user),
    addUserGroup: (given: Partial<UserGroup> & Pick<UserGroup, 'team_id' | 'name'>) => {
      const group: UserGroup = {
        id: world.nextId('S'),
        handle: given.name.toLowerCase(),
        users: [],
        deleted: false,
        ...given,
      };
      world.userGroups.set(group.id, group);
      return group;
    },
    setUserGroup: (groupId: string, changes: Partial<UserGroup>) => {
      const group = world.userGroups.get(groupId);
      if (!group) throw new Error(`there is no user group ${groupId}`);
      Object.assign(group, changes);
    },
    setRole: (userId: string, role: Role) => changeUser(userId, roleFlags(role)),
    deactivate: (userId: string) => changeUser(userId, { deleted: true }),
  };
}

function channelActs(world: World) {
  const setArchived = (id: string, is_archived: boolean) => {
    const channel = channelOf(world, id);
    channel.is_archived = is_archived;
    world.changes.publish({ type: is_archived ? 'channel_archived' : 'channel_unarchived', channel });
  };
  return {
    addChannel: (channel: NewChannel) => addChannel(world, channel),
    invite: (id: string, user: string) => joinChannel(world, channelOf(world, id), userOf(world, user).id),
    kick: (id: string, user: string) => leaveChannel(world, channelOf(world, id), user),
    archive: (id: string) => setArchived(id, true),
    unarchive: (id: string) => setArchived(id, false),
    share: (id: string, teamId: string) => {
      const channel = channelOf(world, id);
      channel.connected_team_ids = [...new Set([...channel.connected_team_ids, teamId])];
      world.changes.publish({ type: 'channel_shared', channel });
    },
    unshare: (id: string, teamId: string) => {
      const channel = channelOf(world, id);
      channel.connected_team_ids = channel.connected_team_ids.filter((other) => other !== teamId);
      world.changes.publish({ type: 'channel_unshared', channel });
    },
  };
}

function installationActs(world: World, journal: Journal) {
  return {
    install: (teamId: string, options: { scopes?: readonly string[]; token?: string } = {}) => {
      const installation = installApp(world, teamId, options);
      journal.addSecret(installation.token);
      return installation;
    },
    uninstall: (teamId: string) => {
      const installation = installationOf(world, teamId);
      installation.status = 'uninstalled';
      world.changes.publish({ type: 'app_uninstalled', installation });
      world.changes.publish({ type: 'tokens_revoked', installation });
    },
    revokeToken: (teamId: string) => {
      const installation = installationOf(world, teamId);
      installation.status = 'revoked';
      world.changes.publish({ type: 'tokens_revoked', installation });
    },
    setScopes: (teamId: string, scopes: readonly string[]) => {
      installationOf(world, teamId).scopes = [...scopes];
    },
  };
}
