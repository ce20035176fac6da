/** The people to act as, their workspaces, and where the app can be installed. */
import { installersAt, installTargets, type SignedIn } from '../../slack/oauth/decide.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import type { Installation, User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';

export const viewPeople = (world: World): PersonSeen[] =>
  peopleOf(world).map((user) => viewPerson(world, user));

export type PersonSeen = ReturnType<typeof viewPerson>;

export function viewPerson(world: World, user: User) {
  const groups = [...world.userGroups.values()].filter(
    ({ users, deleted }) => !deleted && users.includes(user.id),
  );
  return {
    id: user.id,
    name: user.name,
    real_name: user.real_name,
    /** Their roles in their company: `admin`, `guest`, `agents`, … */
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

export type WorkspaceSeen = ReturnType<typeof viewWorkspaces>[number];

/** Returns the workspaces that have people, each with the person to act as at first. */
export function viewWorkspaces(world: World) {
  return [...world.teams.values()].flatMap(({ id, name }) => {
    const as = peopleOf(world).find(({ team_id }) => team_id === id)?.id;
    const isInstalled = installationServing(world, id)?.status === 'active';
    return as ? [{ id, name, isInstalled, as }] : [];
  });
}

export type InstallTarget = ReturnType<typeof viewInstallTargets>[number];

export function viewInstallTargets(world: World) {
  return installTargets(world).map(({ id, name }) => ({
    id,
    name,
    status: statusIn(world, id),
    /** The person who would install it there: an admin if there is one. */
    installer: installersAt(world, id)[0]?.id,
  }));
}

/** @returns `org_wide` if the organization's own installation serves it */
function statusIn(world: World, id: string): Installation['status'] | 'org_wide' | 'never' {
  const serving = installationServing(world, id);
  if (serving?.status === 'active' && serving.team_id !== id) return 'org_wide';
  return world.installations.get(id)?.status ?? 'never';
}

/** Returns the people of all workspaces, without bots and deactivated accounts. */
export const peopleOf = (world: World): User[] =>
  [...world.users.values()].filter(({ is_bot, deleted }) => !is_bot && !deleted);

export const INSTALL_PATH = '/install';

/** Returns the path that signs a person in to a workspace, and then redirects to the app's install page. */
export const installPath = ({ user, place }: SignedIn): string =>
  `${INSTALL_PATH}?${new URLSearchParams({ as: user, in: place })}`;
