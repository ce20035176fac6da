import { randomBytes } from 'node:crypto';
import type { Journal } from '../../lib/http/journal.ts';
import { PersonError, SlackError } from '../slack-error.ts';
import type { Enterprise, OAuthCode, User } from '../world/types.ts';
import { rolesIn, teamsOfUser } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** The choice of a person on the authorize page, and its workspace or organization. */
type Decision = {
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

/** Slack's limit: a code is valid for ten minutes, and once. */
const LIFETIME_MS = 10 * 60_000;

/** Creates a code. The app is installed only when it exchanges the code. */
function createCode(world: World, given: Omit<OAuthCode, 'expires_at' | 'is_used'>): string {
  const code = `${world.oauthCodes.size + 1}.${randomBytes(32).toString('hex')}`;
  world.oauthCodes.set(code, { ...given, expires_at: world.now() + LIFETIME_MS, is_used: false });
  return code;
}

/** Uses a code up. The redirect_uri must be that of the authorize request. No page names the error for an expired code. */
export function takeCode(world: World, code: string, redirect_uri: string | undefined): OAuthCode {
  const found = world.oauthCodes.get(code);
  if (!found) throw new SlackError('invalid_code');
  if (found.is_used) throw new SlackError('code_already_used');
  if (world.now() > found.expires_at) throw new SlackError('invalid_code');
  if (found.redirect_uri !== redirect_uri) throw new SlackError('bad_redirect_uri');
  found.is_used = true;
  return found;
}

/** Returns the workspaces, and the organizations if the app can be installed in them. */
export function installTargets({ teams, enterprises, app }: World): { id: string; name: string }[] {
  const named = ({ id, name }: Enterprise) => ({ id, name: `${name} (whole organization)` });
  const whole = [...enterprises.values()].map(named);
  return [...teams.values(), ...(app.orgDeploy ? whole : [])].map(({ id, name }) => ({ id, name }));
}

/**
 * The person and workspace that a browser is signed in to. The workspace page sets a cookie, which reaches all ports of a
 * host, so that the authorize page can begin with that person and place.
 */
export type SignedIn = { user: string; place: string };

const COOKIE = 'sandbox-signed-in';

/** Returns the cookie that signs a person in. */
export const signInCookie = ({ user, place }: SignedIn): string =>
  `${COOKIE}=${user}.${place}; Path=/; HttpOnly; SameSite=Lax`;

/** Reads the signed-in person from a request's cookies; anybody may have made them up. */
export function readSignedIn(cookies: string | undefined): Partial<SignedIn> {
  const [, user, place] = /(?:^|;\s*)sandbox-signed-in=(\w+)\.(\w+)/.exec(cookies ?? '') ?? [];
  return { ...(user && { user }), ...(place && { place }) };
}
