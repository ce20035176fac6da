import type { User } from '../world/types.ts';
import { isExternalUser } from '../world/users.ts';
import type { World } from '../world/world.ts';

/**
 * Converts a user to the format of users.info for an app in a workspace. E-mail addresses need a scope that the bot lacks.
 */
export function presentUser(world: World, teamId: string, user: User) {
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
    is_admin: user.is_admin,
    is_owner: user.is_owner,
    is_primary_owner: user.is_owner,
    is_restricted: user.is_restricted,
    is_ultra_restricted: user.is_ultra_restricted,
    is_bot: user.is_bot,
    is_app_user: false,
    updated: 0,
    ...(isExternalUser(world, teamId, user) && { is_stranger: true }),
    ...enterpriseField(world, user),
  };
}

/** Returns their roles in their organization, if they have one. */
function enterpriseField(world: World, { id, team_id, is_org_admin = false }: User) {
  const enterprise = world.enterprises.get(world.teams.get(team_id)?.enterprise_id ?? '');
  if (!enterprise) return {};
  const { id: enterprise_id, name: enterprise_name } = enterprise;
  const roles = { is_admin: is_org_admin, is_owner: false, teams: [team_id] };
  return { enterprise_user: { id, enterprise_id, enterprise_name, ...roles } };
}
