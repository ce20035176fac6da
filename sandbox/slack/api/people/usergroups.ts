import { z } from 'zod';
import { presentUserGroup } from '../../present/user-group.ts';
import { SlackError } from '../../slack-error.ts';
import { flag } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';

export const usergroupsList: ApiMethod = method({
  name: 'usergroups.list',
  tier: 2,
  scopes: ['usergroups:read'],
  needsTeam: true,
  args: z.object({ include_disabled: flag, include_count: flag, include_users: flag }),
  run: ({ world, teams }, { include_disabled, include_count, include_users }) => {
    const groups = [...world.userGroups.values()].filter(
      ({ team_id, deleted }) => teams.includes(team_id) && (include_disabled || !deleted),
    );
    return {
      usergroups: groups.map((group) => ({
        ...presentUserGroup(group),
        ...(include_users && { users: group.users }),
        ...(include_count && { user_count: group.users.length }),
      })),
    };
  },
});

/** A disabled group is not found unless it is asked for, which is how the reference reads. */
export const usergroupsUsersList: ApiMethod = method({
  name: 'usergroups.users.list',
  tier: 2,
  scopes: ['usergroups:read'],
  needsTeam: true,
  args: z.object({ usergroup: z.string().default(''), include_disabled: flag }),
  run: ({ world, teams }, { usergroup, include_disabled }) => {
    const group = world.userGroups.get(usergroup);
    if (!group || !teams.includes(group.team_id) || (group.deleted && !include_disabled)) {
      throw new SlackError('no_such_subteam');
    }
    return { users: group.users };
  },
});
