import { refusalFor } from '../../slack/oauth/decide.ts';
import { placesOf } from '../../slack/oauth/places.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import type { Installation, User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';

/** A workspace in the switcher. */
export type WorkspaceSeen = {
  id: string;
  name: string;
  isInstalled: boolean;
  /** Who one is there at first. */
  as: string;
};

/** Where the app is installed, or could be: a workspace, or an organization. */
export type PlaceSeen = {
  id: string;
  name: string;
  /** `org_wide`: the organization's own installation serves it. */
  status: Installation['status'] | 'org_wide' | 'never';
  /** Who would install it there: admins before others. */
  installer: string | undefined;
};

/** The workspaces that somebody is in. */
export function seeWorkspaces(world: World): WorkspaceSeen[] {
  return [...world.teams.values()].flatMap(({ id, name }) => {
    const as = peopleOf(world).find(({ team_id }) => team_id === id)?.id;
    const isInstalled = installationServing(world, id)?.status === 'active';
    return as ? [{ id, name, isInstalled, as }] : [];
  });
}

/** Every place where the app could be. */
export function seePlaces(world: World): PlaceSeen[] {
  return placesOf(world).map(({ id, name }) => {
    const able = peopleOf(world).filter((user) => refusalFor(world, user, id) === undefined);
    const installer = able.find(({ is_admin }) => is_admin) ?? able[0];
    return { id, name, status: statusIn(world, id), installer: installer?.id };
  });
}

function statusIn(world: World, id: string): PlaceSeen['status'] {
  const serving = installationServing(world, id);
  if (serving?.status === 'active' && serving.team_id !== id) return 'org_wide';
  return world.installations.get(id)?.status ?? 'never';
}

const peopleOf = (world: World): User[] =>
  [...world.users.values()].filter(({ is_bot, deleted }) => !is_bot && !deleted);
