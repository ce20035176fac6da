import { installTargets, refusalFor, type SignedIn } from '../../slack/oauth/decide.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import type { Installation, User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';

/** A workspace in the switcher. */
export type WorkspaceSeen = {
  id: string;
  name: string;
  isInstalled: boolean;
  /** The person to act as at first. */
  as: string;
};

/** A workspace or an organization where the app can be installed. */
export type InstallTarget = {
  id: string;
  name: string;
  /** `org_wide`: the organization's own installation serves it. */
  status: Installation['status'] | 'org_wide' | 'never';
  /** The person who would install it there: an admin if there is one. */
  installer: string | undefined;
};

/** Returns the workspaces that have people. */
export function viewWorkspaces(world: World): WorkspaceSeen[] {
  return [...world.teams.values()].flatMap(({ id, name }) => {
    const as = peopleOf(world).find(({ team_id }) => team_id === id)?.id;
    const isInstalled = installationServing(world, id)?.status === 'active';
    return as ? [{ id, name, isInstalled, as }] : [];
  });
}

/** Returns every workspace and organization where the app can be installed. */
export function viewInstallTargets(world: World): InstallTarget[] {
  return installTargets(world).map(({ id, name }) => {
    const able = peopleOf(world).filter((user) => refusalFor(world, user, id) === undefined);
    const installer = able.find(({ is_admin }) => is_admin) ?? able[0];
    return { id, name, status: statusIn(world, id), installer: installer?.id };
  });
}

function statusIn(world: World, id: string): InstallTarget['status'] {
  const serving = installationServing(world, id);
  if (serving?.status === 'active' && serving.team_id !== id) return 'org_wide';
  return world.installations.get(id)?.status ?? 'never';
}

const peopleOf = (world: World): User[] =>
  [...world.users.values()].filter(({ is_bot, deleted }) => !is_bot && !deleted);

/** The path of the page's server that leads to the app's install page. */
export const INSTALL_PATH = '/install';

/** Returns the path that signs a person in to a workspace, and then redirects to the app's install page. */
export const installPath = ({ user, place }: SignedIn): string =>
  `${INSTALL_PATH}?${new URLSearchParams({ as: user, in: place })}`;
