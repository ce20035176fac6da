import type { User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';

/** A person as the page shows them. */
export type PersonSeen = {
  id: string;
  name: string;
  real_name: string;
  /** Their roles in their company: `admin`, `guest`, `agents`, … */
  roles: string[];
  team: string;
  /** Their workspace's id. */
  workspace: string;
};

/** Returns the people to act as, grouped by company. */
export function viewPeople(world: World): PersonSeen[] {
  return [...world.users.values()]
    .filter(({ is_bot, deleted }) => !is_bot && !deleted)
    .map((user) => viewPerson(world, user));
}

/** Returns one person as the page shows them. */
export function viewPerson(world: World, user: User): PersonSeen {
  const groups = [...world.userGroups.values()].filter(
    ({ users, deleted }) => !deleted && users.includes(user.id),
  );
  return {
    id: user.id,
    name: user.name,
    real_name: user.real_name,
    roles: [...rolesOf(user), ...groups.map(({ handle }) => handle)],
    team: world.teams.get(user.team_id)?.name ?? user.team_id,
    workspace: user.team_id,
  };
}

function rolesOf(user: User): string[] {
  if (user.is_owner) return ['owner'];
  if (user.is_admin) return ['admin'];
  if (user.is_ultra_restricted) return ['single-channel guest'];
  return user.is_restricted ? ['guest'] : [];
}
