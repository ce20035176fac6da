import type { User } from '../world/types.ts';
import { isStranger } from '../world/users.ts';
import type { World } from '../world/world.ts';

/** A user as users.info shows them to an app in a workspace. E-mail addresses need a scope that the bot lacks. */
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
    ...(isStranger(world, teamId, user) && { is_stranger: true }),
  };
}
