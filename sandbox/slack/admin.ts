import type { Journal } from '../lib/http/journal.ts';
import {
  expireTokens,
  installApp,
  installationOf,
  revokeInstallation,
  setAccess,
  uninstallApp,
} from './world/app/installations.ts';
import type { AppSettings } from './world/app/settings.ts';
import {
  addChannel,
  channelOf,
  joinChannel,
  leaveChannel,
  type NewChannel,
  shareChannel,
  unshareChannel,
} from './world/channels.ts';
import type { Channel, Enterprise, Installation, Team, User, UserGroup } from './world/types.ts';
import { addUser, type NewUser, type Role, roleFlags, userOf } from './world/users.ts';
import { addEnterprise, addWorkspace, type NewWorkspace, type Workspace } from './world/workspaces.ts';
import type { World } from './world/world.ts';

/** The actions of the people who run a workspace, by id. */
export type Admin = {
  addTeam(team: Partial<Team> & { name: string }): Team;
  /** Adds a workspace with people and channels, in which the app is not installed. */
  addWorkspace(workspace: NewWorkspace): Workspace;
  addEnterprise(enterprise: Partial<Enterprise> & { name: string }): Enterprise;
  addUser(user: NewUser): User;
  addChannel(channel: NewChannel): Channel;
  addUserGroup(group: Partial<UserGroup> & Pick<UserGroup, 'team_id' | 'name'>): UserGroup;
  setUserGroup(groupId: string, changes: Partial<Pick<UserGroup, 'users' | 'deleted'>>): void;
  invite(channelId: string, userId: string): void;
  kick(channelId: string, userId: string): void;
  archive(channelId: string): void;
  unarchive(channelId: string): void;
  /** Shares a channel with another company. */
  share(channelId: string, teamId: string): void;
  /** Ends the sharing, and returns the other company's copy of the channel, which has another id. */
  unshare(channelId: string, teamId: string): Channel;
  /** Sets a person's role in their own workspace, or in another one of their organization. */
  setRole(userId: string, role: Role, teamId?: string): void;
  deactivate(userId: string): void;
  /** Installs without a page, in a workspace or an organization. */
  install(teamId: string, options?: { scopes?: readonly string[]; token?: string }): Installation;
  /**
   * Uninstalls the app: its token no longer works, and the app gets two events. `first` names the one that happens first.
   */
  uninstall(teamId: string, options?: { first?: 'app_uninstalled' | 'tokens_revoked' }): void;
  revokeToken(teamId: string): void;
  /** Takes an org-wide installation out of one of the workspaces, or puts it back there. */
  setAccess(enterpriseId: string, teamId: string, has: boolean): void;
  /** Lets the tokens of an installation expire. */
  expireTokens(teamId: string): void;
  /** Changes the app's settings: token rotation, lifetimes, … */
  setApp(changes: Partial<AppSettings>): void;
  setScopes(teamId: string, scopes: readonly string[]): void;
};

/** Creates the administration of a world. Every action is recorded in the journal. */
export function createAdmin(world: World, journal: Journal): Admin {
  const actions = { ...teamActions(world), ...channelActions(world), ...installationActions(world, journal) };
  return recordCalls(actions, journal);
}

function recordCalls<T extends object>(actions: T, journal: Journal): T {
  const wrapped = Object.entries(actions).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      journal.record({ from: 'admin', to: 'slack', kind: 'person', name, request: args });
      return run(...args);
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

function teamActions(world: World) {
  const changeUser = (userId: string, changes: Partial<User>) => {
    const user = Object.assign(userOf(world, userId), changes);
    world.changes.publish({ type: 'user_changed', user });
  };
  return {
    addTeam: (given: Partial<Team> & { name: string }) => addWorkspace(world, given).team,
    addWorkspace: (workspace: NewWorkspace) => addWorkspace(world, workspace),
    addEnterprise: (enterprise: Partial<Enterprise> & { name: string }) => addEnterprise(world, enterprise),
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
      const before = group.users;
      Object.assign(group, changes);
      const added = group.users.filter((user) => !before.includes(user));
      const removed = before.filter((user) => !group.users.includes(user));
      world.changes.publish({ type: 'user_group_changed', group, added, removed });
    },
    setRole: (userId: string, role: Role, teamId?: string) => {
      const { team_id, elsewhere } = userOf(world, userId);
      const isElsewhere = teamId !== undefined && teamId !== team_id;
      const there = { ...elsewhere, ...(isElsewhere && { [teamId]: roleFlags(role) }) };
      changeUser(userId, isElsewhere ? { elsewhere: there } : roleFlags(role));
    },
    deactivate: (userId: string) => changeUser(userId, { deleted: true }),
  };
}

function channelActions(world: World) {
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
    share: (id: string, teamId: string) => shareChannel(world, channelOf(world, id), teamId),
    unshare: (id: string, teamId: string) => unshareChannel(world, channelOf(world, id), teamId),
  };
}

function installationActions(world: World, journal: Journal) {
  return {
    install: (teamId: string, options: { scopes?: readonly string[]; token?: string } = {}) => {
      const { installation } = installApp(world, teamId, options);
      journal.addSecret(installation.token);
      return installation;
    },
    uninstall: (teamId: string, { first }: { first?: 'app_uninstalled' | 'tokens_revoked' } = {}) =>
      uninstallApp(world, installationOf(world, teamId), first),
    revokeToken: (teamId: string) => revokeInstallation(world, installationOf(world, teamId)),
    setAccess: (enterpriseId: string, teamId: string, has: boolean) =>
      setAccess(world, installationOf(world, enterpriseId), teamId, has),
    expireTokens: (teamId: string) => expireTokens(world, installationOf(world, teamId)),
    setApp: (changes: Partial<AppSettings>) => void Object.assign(world.app, changes),
    setScopes: (teamId: string, scopes: readonly string[]) => {
      installationOf(world, teamId).scopes = [...scopes];
    },
  };
}
