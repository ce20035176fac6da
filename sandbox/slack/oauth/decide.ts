import type { Journal } from '../../lib/http/journal.ts';
import { PersonError } from '../person-error.ts';
import type { User } from '../world/types.ts';
import { rolesIn, teamsOfUser } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { createCode } from './codes.ts';

/** The choice of a person on the authorize page, and its workspace or organization. */
export type Decision = {
  user: User;
  team: string;
  allow: boolean;
};

/** Returns the address that the person is sent to: back to the app, with a code or with `access_denied`. */
export function decide(
  { world, journal }: { world: World; journal: Journal },
  { scopes, target, redirect_uri, state }: AuthorizeRequest,
  { user, team, allow }: Decision,
): string {
  const refusal = refusalFor(world, user, team);
  if (refusal) throw new PersonError(refusal);
  const name = allow ? 'allow_app' : 'deny_app';
  journal.record({ from: user.name, to: 'slack', kind: 'person', name, request: { team, scopes } });
  const url = new URL(target);
  if (allow) {
    const code = createCode(world, { team_id: team, user: user.id, scopes, redirect_uri });
    journal.addSecret(code);
    url.searchParams.set('code', code);
  } else url.searchParams.set('error', 'access_denied');
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

/** Returns why a person can't install the app there; undefined if they can. */
export function refusalFor(world: World, user: User, id: string): string | undefined {
  const enterprise = world.enterprises.get(id);
  if (enterprise) {
    const isOwn = world.teams.get(user.team_id)?.enterprise_id === id;
    if (!isOwn || !user.is_org_admin)
      return `only an admin of the organization ${enterprise.name} may install there`;
    return world.app.orgDeploy
      ? undefined
      : 'the app is not made for whole organizations (org_deploy_enabled)';
  }
  const team = world.teams.get(id);
  if (!team) return `there is no workspace ${id}`;
  if (!teamsOfUser(user).includes(id) || user.is_bot) return `${user.name} is not a member of ${team.name}`;
  return rolesIn(user, id).is_restricted ? 'guests may not install apps' : undefined;
}
