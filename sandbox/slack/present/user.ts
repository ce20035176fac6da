import type { User } from '../world/types.ts';
import { isExternalUser, rolesIn, teamsOfUser } from '../world/users.ts';
import type { World } from '../world/world.ts';

/**
 * Converts a user to the format of users.info for an app in a workspace. E-mail addresses need a scope that the bot lacks.
 * The token of an organization does not tell who administers a workspace (github.com/slackapi/bolt-js/issues/1566): the
 * flags are those of the person's own workspace, whichever that is.
 *
 * @param teamId the workspace of the app's installation, or the organization
 */
export function presentUser(world: World, teamId: string, user: User) {
  const { is_admin, is_owner, is_restricted, is_ultra_restricted } = rolesIn(user, teamId);
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    deleted: user.deleted,
    real_name: user.real_name,
    tz: 'Europe/Amsterdam',
    profile: {
      real_name: user.real_name,
      real_name_normalized: user.real_name,
      display_name: user.name,
      display_name_normalized: user.name,
      team: user.team_id,
    },
    is_admin,
    is_owner,
    is_primary_owner: is_owner,
    is_restricted,
    is_ultra_restricted,
    is_bot: user.is_bot,
    is_app_user: false,
    updated: 0,
    ...(isExternalUser(world, teamId, user) && { is_stranger: true }),
    ...enterpriseField(world, user),
  };
}

/** Returns their roles in their organization, if they have one. */
function enterpriseField(world: World, user: User) {
  const { id, team_id, is_org_admin: is_admin = false, is_org_owner: is_owner = false } = user;
  const enterprise = world.enterprises.get(world.teams.get(team_id)?.enterprise_id ?? '');
  if (!enterprise) return {};
  const { id: enterprise_id, name: enterprise_name } = enterprise;
  const teams = teamsOfUser(user);
  return { enterprise_user: { id, enterprise_id, enterprise_name, is_admin, is_owner, teams } };
}
