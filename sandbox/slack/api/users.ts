import { z } from 'zod';
import { presentUser, presentUserGroup } from '../present.ts';
import { SlackError } from '../slack-error.ts';
import { isExternalUser, isUserVisible } from '../world/users.ts';
import { type ApiMethod, limit, method, pageOf, required } from './method.ts';

/** Returns a user of the workspace, or of a company that it shares a channel with. No other user is found. */
export const usersInfo: ApiMethod = method({
  name: 'users.info',
  tier: 4,
  scopes: ['users:read'],
  args: z.strictObject({ user: required }),
  run: ({ world, app }, args) => {
    const user = world.users.get(args.user);
    const isKnown =
      user && (isUserVisible(world, app.team_id, user) || isExternalUser(world, app.team_id, user));
    if (!isKnown) throw new SlackError('user_not_found');
    return { user: presentUser(world, app.team_id, user) };
  },
});

/** Lists the users of the workspace and, although no page says so, the people in the channels that it shares. */
export const usersList: ApiMethod = method({
  name: 'users.list',
  tier: 2,
  scopes: ['users:read'],
  needsTeam: true,
  args: z.strictObject({ cursor: z.string().optional(), limit: limit(1000, 1000) }),
  run: ({ world, app, teams }, args) => {
    const all = [...world.users.values()].filter((user) =>
      teams.some((team) => isUserVisible(world, team, user)),
    );
    const { items, response_metadata } = pageOf(world, all, args);
    return {
      members: items.map((user) => presentUser(world, app.team_id, user)),
      response_metadata,
    };
  },
});

export const usergroupsList: ApiMethod = method({
  name: 'usergroups.list',
  tier: 2,
  scopes: ['usergroups:read'],
  needsTeam: true,
  args: z.strictObject({}),
  run: ({ world, teams }) => {
    const groups = [...world.userGroups.values()].filter(
      ({ team_id, deleted }) => teams.includes(team_id) && !deleted,
    );
    return { usergroups: groups.map(presentUserGroup) };
  },
});

/** Lists the members of a user group; according to the reference, a disabled one is not found. */
export const usergroupsUsersList: ApiMethod = method({
  name: 'usergroups.users.list',
  tier: 2,
  scopes: ['usergroups:read'],
  needsTeam: true,
  args: z.strictObject({ usergroup: required }),
  run: ({ world, teams }, { usergroup }) => {
    const group = world.userGroups.get(usergroup);
    if (!group || !teams.includes(group.team_id) || group.deleted) {
      throw new SlackError('no_such_subteam');
    }
    return { users: group.users };
  },
});
