import type { Journal } from '../lib/http/journal.ts';
import type { AppSettings } from './options.ts';
import {
  installApp,
  installationOf,
  revokeInstallation,
  setAccess,
  uninstallApp,
} from './world/app/installations.ts';
import {
  addChannel,
  channelOf,
  joinChannel,
  leaveChannel,
  type NewChannel,
  shareChannel,
  unshareChannel,
} from './world/channels.ts';
import type { User, UserGroup } from './world/types.ts';
import { addUser, type NewUser, type Role, roleFlags, userOf } from './world/users.ts';
import { addWorkspace, type NewWorkspace } from './world/workspaces.ts';
import type { World } from './world/world.ts';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(world: World, journal: Journal) {
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
    /** Adds a workspace with people and channels, in which the app is not installed. */
    addWorkspace: (workspace: NewWorkspace) => addWorkspace(world, workspace),
    addUser: (user: NewUser) => addUser(world, user),
    addUserGroup: (given: Partial<UserGroup> & Pick<UserGroup, 'team_id' | 'name'>) => {
      const handle = given.name.toLowerCase();
      const group: UserGroup = { id: world.nextId('S'), handle, users: [], deleted: false, ...given };
      world.userGroups.set(group.id, group);
      return group;
    },
    setUserGroup: (groupId: string, changes: Partial<Pick<UserGroup, 'users' | 'deleted'>>) => {
      const group = world.userGroups.get(groupId);
      if (!group) throw new Error(`there is no user group ${groupId}`);
      const before = group.users;
      Object.assign(group, changes);
      const added = group.users.filter((user) => !before.includes(user));
      const removed = before.filter((user) => !group.users.includes(user));
      world.changes.publish({ type: 'user_group_changed', group, added, removed });
    },
    /** Sets a person's role in their own workspace, or in another one of their organization. */
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
  /**
   * Of a public channel that is unarchived nobody is a member any more, and no event tells that
   * (https://slack.com/help/articles/213185307-Archive-or-delete-a-channel).
   */
  const setArchived = (id: string, is_archived: boolean) => {
    const channel = channelOf(world, id);
    channel.is_archived = is_archived;
    if (is_archived && channel.kind === 'public') channel.members.clear();
    world.changes.publish({ type: is_archived ? 'channel_archived' : 'channel_unarchived', channel });
  };
  return {
    addChannel: (channel: NewChannel) => addChannel(world, channel),
    invite: (id: string, user: string) => joinChannel(world, channelOf(world, id), userOf(world, user).id),
    kick: (id: string, user: string) => leaveChannel(world, channelOf(world, id), user),
    archive: (id: string) => setArchived(id, true),
    unarchive: (id: string) => setArchived(id, false),
    share: (id: string, teamId: string) => shareChannel(world, channelOf(world, id), teamId),
    /** Ends the sharing, and returns the other company's copy of the channel, which has another id. */
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
    /** Uninstalls the app: its token no longer works, and the app gets two events, of which `first` happens first. */
    uninstall: (teamId: string, { first }: { first?: 'app_uninstalled' | 'tokens_revoked' } = {}) =>
      uninstallApp(world, installationOf(world, teamId), first),
    revokeToken: (teamId: string) => revokeInstallation(world, installationOf(world, teamId)),
    /** Takes an org-wide installation out of one of the workspaces, or puts it back there. */
    setAccess: (enterpriseId: string, teamId: string, has: boolean) =>
      setAccess(world, installationOf(world, enterpriseId), teamId, has),
    /** Changes the app's settings: token rotation, lifetimes, … */
    setApp: (changes: Partial<AppSettings>) => void Object.assign(world.app, changes),
    setScopes: (teamId: string, scopes: readonly string[]) => {
      installationOf(world, teamId).scopes = [...scopes];
    },
  };
}
