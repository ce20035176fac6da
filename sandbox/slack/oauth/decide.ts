/** The authorize page's request and decision: what an app asks for, who may allow it, and the code that it then gets. */
import { randomBytes } from 'node:crypto';
import type { Journal } from '../../lib/http/journal.ts';
import { PersonError, SlackError } from '../slack-error.ts';
import type { Enterprise, OAuthCode, User } from '../world/types.ts';
import { rolesIn, teamsOfUser } from '../world/users.ts';
import type { World } from '../world/world.ts';

export type AuthorizeRequest = ReturnType<typeof readAuthorizeRequest>;

/** An invalid authorize request. The person sees the reason, and is not sent back to the app. */
export class AuthorizeMistake extends Error {
  override readonly name = 'AuthorizeMistake';
}

/** Parses the query of the authorize URL. @throws AuthorizeMistake with the part that is wrong */
export function readAuthorizeRequest({ app }: World, query: URLSearchParams) {
  if (query.get('client_id') !== app.clientId) {
    throw new AuthorizeMistake(
      `Invalid client_id parameter: no app has the client ID "${query.get('client_id') ?? ''}".`,
    );
  }
  // Slack takes the first configured one if there is none; the bot always names its own.
  const redirect_uri = query.get('redirect_uri') ?? '';
  if (!isAllowedTarget(redirect_uri, app.redirectUrls)) {
    throw new AuthorizeMistake(`redirect_uri did not match any configured URIs. Passed URI: ${redirect_uri}`);
  }
  return {
    scopes: readScopes(query),
    redirect_uri,
    state: query.get('state') ?? undefined,
    team: query.get('team') || undefined,
  };
}

function readScopes(query: URLSearchParams): string[] {
  const scopes = listed(query.get('scope'));
  const unknown = scopes.filter((scope) => !Object.hasOwn(SCOPES, scope));
  if (listed(query.get('user_scope')).length > 0) {
    throw new AuthorizeMistake('user_scope: the sandbox gives no tokens of people, only of bots.');
  }
  if (unknown.length > 0) throw new AuthorizeMistake(`Invalid permissions requested: ${unknown.join(', ')}`);
  if (scopes.length === 0) throw new AuthorizeMistake('scope is missing: the app requests no permissions.');
  return [...new Set(scopes)];
}

const listed = (text: string | null) => (text ?? '').split(/[\s,]+/).filter((each) => each !== '');

function isAllowedTarget(target: string, allowed: readonly string[] | undefined): boolean {
  const url = URL.parse(target);
  if (!url || !/^https?:$/.test(url.protocol) || url.hash) return false;
  if (!allowed) return true;
  return allowed.some((each) => {
    const base = URL.parse(each);
    if (base?.origin !== url.origin) return false;
    const path = base.pathname.replace(/\/$/, '');
    return url.pathname === base.pathname || url.pathname.startsWith(`${path}/`);
  });
}

/** The permissions of the bot's scopes, in the words of the authorize page, which refuses any other. */
export const SCOPES: Readonly<Record<string, { group: 'view' | 'do'; text: string }>> = {
  'app_mentions:read': view('Messages that mention the app in conversations that it is in'),
  'channels:history': view('Messages and other content in public channels that the app has been added to'),
  'channels:join': act('Join public channels in the workspace'),
  'channels:read': view('Basic information about public channels in the workspace'),
  'chat:write': act('Send messages as the app'),
  commands: act('Add shortcuts and slash commands that people can use'),
  'groups:history': view('Messages and other content in private channels that the app has been added to'),
  'groups:read': view('Basic information about private channels that the app has been added to'),
  'im:history': view('Messages and other content in direct messages that the app has been added to'),
  'im:write': act('Start direct messages with people'),
  'reactions:read': view('Emoji reactions and their content in conversations that the app has been added to'),
  'usergroups:read': view('User groups in the workspace'),
  'users:read': view('People in the workspace'),
};

function view(text: string) {
  return { group: 'view' as const, text };
}

function act(text: string) {
  return { group: 'do' as const, text };
}

type Decision = {
  user: User;
  team: string;
  allow: boolean;
};

/** Returns the address that the person is sent to: back to the app, with a code or with `access_denied`. */
export function decide(
  { world, journal }: { world: World; journal: Journal },
  { scopes, redirect_uri, state }: AuthorizeRequest,
  { user, team, allow }: Decision,
): string {
  const refusal = refusalFor(world, user, team);
  if (refusal) throw new PersonError(refusal);
  const name = allow ? 'allow_app' : 'deny_app';
  journal.record({ from: user.name, to: 'slack', kind: 'person', name, request: { team, scopes } });
  const url = new URL(redirect_uri);
  if (allow) {
    const code = createCode(world, { team_id: team, user: user.id, scopes, redirect_uri });
    journal.addSecret(code);
    url.searchParams.set('code', code);
  } else url.searchParams.set('error', 'access_denied');
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

function refusalFor(world: World, user: User, id: string): string | undefined {
  const enterprise = world.enterprises.get(id);
  if (enterprise) {
    const isOwn = world.teams.get(user.team_id)?.enterprise_id === id;
    if (!isOwn || !user.is_org_admin)
      return `only an admin of the organization ${enterprise.name} may install there`;
    return world.app.orgDeploy
      ? undefined
      : "the app can't be installed in a whole organization (org_deploy_enabled is off)";
  }
  const team = world.teams.get(id);
  if (!team) return `there is no workspace ${id}`;
  if (!teamsOfUser(user).includes(id) || user.is_bot) return `${user.name} is not a member of ${team.name}`;
  return rolesIn(user, id).is_restricted ? 'guests may not install apps' : undefined;
}

/** Returns the people who can install the app there: admins first, because they usually do. */
export const installersAt = (world: World, id: string): User[] =>
  [...world.users.values()]
    .filter((user) => !user.deleted && refusalFor(world, user, id) === undefined)
    .sort((one, other) => Number(other.is_admin) - Number(one.is_admin));

/** Slack's limit: a code is valid for ten minutes, and once. */
const LIFETIME_MS = 10 * 60_000;

/** Creates a code. The app is installed only when it exchanges the code. */
function createCode(world: World, given: Omit<OAuthCode, 'expires_at' | 'is_used'>): string {
  const code = `${world.oauthCodes.size + 1}.${randomBytes(32).toString('hex')}`;
  world.oauthCodes.set(code, { ...given, expires_at: world.now() + LIFETIME_MS, is_used: false });
  return code;
}

/**
 * Returns what a code permits, and uses the code up. The redirect_uri must be that of the authorize request. No page names the
 * error for an expired code.
 */
export function takeCode(world: World, code: string, redirect_uri: string): OAuthCode {
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
 * The person that a browser is signed in as, and in which workspace. The sandbox's page sets a cookie, which reaches all ports
 * of a host, so that the authorize page can begin with that person and place.
 */
export type SignedIn = { user: string; place: string };

export const signInCookie = ({ user, place }: SignedIn): string =>
  `sandbox-signed-in=${user}.${place}; Path=/; HttpOnly; SameSite=Lax`;

/** Reads the signed-in person from a request's cookies; anybody may have made them up. */
export function readSignedIn(cookies: string | undefined): Partial<SignedIn> {
  const [, user, place] = /(?:^|;\s*)sandbox-signed-in=(\w+)\.(\w+)/.exec(cookies ?? '') ?? [];
  return { ...(user && { user }), ...(place && { place }) };
}
