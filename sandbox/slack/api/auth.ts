/** Authenticates calls by their tokens; auth.*, apps.connections.open and oauth.v2.access. */
import { z } from 'zod';
import type { HttpRequest } from '../../lib/http/server.ts';
import type { Sockets } from '../delivery/socket/sockets.ts';
import { takeCode } from '../oauth/decide.ts';
import { SlackError } from '../slack-error.ts';
import {
  enterpriseOf,
  type IssuedTokens,
  installApp,
  installationByToken,
  refreshTokens,
  teamsServed,
} from '../world/app/installations.ts';
import type { Installation } from '../world/types.ts';
import { userOf } from '../world/users.ts';
import { placeWith } from '../world/workspaces.ts';
import type { World } from '../world/world.ts';
import { type ApiMethod, limit, method, pageOf, parseArguments } from './method.ts';

/** Returns the token of a call. Slack also takes it as an argument, which the bot never does. */
export const tokenOf = ({ headers }: HttpRequest): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];

export function authenticate(world: World, token: string | undefined): Installation {
  if (!token) throw new SlackError('not_authed');
  return installationByToken(world, token);
}

/** Returns the address of a workspace; `.test` never resolves. */
export const teamUrl = (domain: string) => `https://${domain}.slack.test/`;

export const authTest: ApiMethod = method({
  name: 'auth.test',
  tier: 'unlimited',
  scopes: [],
  args: z.strictObject({}),
  run: ({ world, app }) => {
    const { team_id, enterprise_id, is_enterprise_install } = app;
    const place = placeWith(world, team_id);
    return {
      url: teamUrl(`${place?.domain}${is_enterprise_install ? '.enterprise' : ''}`),
      team: place?.name,
      user: userOf(world, app.bot_user_id).name,
      team_id,
      user_id: app.bot_user_id,
      bot_id: app.bot_id,
      ...(enterprise_id && { enterprise_id }),
      is_enterprise_install,
    };
  },
});

/** Lists the workspaces of a token; an org-wide installation has all of the organization's. */
export const authTeamsList: ApiMethod = method({
  name: 'auth.teams.list',
  tier: 2,
  scopes: [],
  args: z.strictObject({ cursor: z.string().optional(), limit: limit(100, 1000) }),
  run: ({ world, app }, args) => {
    const all = teamsServed(world, app).map((id) => ({ id, name: world.teams.get(id)?.name }));
    const { items, response_metadata } = pageOf(world, all, args);
    return { teams: items, response_metadata };
  },
});

/** The only method that takes the app-level token. */
export const APPS_CONNECTIONS_OPEN = 'apps.connections.open';

export type SocketMode = {
  appToken: string;
  sockets: Pick<Sockets, 'issueTarget'>;
};

/** Issues a WebSocket URL for one connection (https://docs.slack.dev/reference/methods/apps.connections.open). */
export function openAppConnection(
  token: string | undefined,
  { headers }: Pick<HttpRequest, 'headers'>,
  { world, appToken, sockets }: SocketMode & { world: World },
): { url: string } {
  if (token !== appToken) {
    authenticate(world, token);
    throw new SlackError('not_allowed_token_type');
  }
  return { url: `ws://${headers.host}${sockets.issueTarget()}` };
}

export const OAUTH_V2_ACCESS = 'oauth.v2.access';

const Arguments = z.object({
  grant_type: z.string().optional(),
  code: z.string().default(''),
  redirect_uri: z.string().default(''),
  refresh_token: z.string().default(''),
});

/**
 * Exchanges a code or a refresh token for tokens. The exchange of a code installs the app.
 * @see https://docs.slack.dev/reference/methods/oauth.v2.access
 */
export function oauthAccess(world: World, given: Record<string, unknown>): object {
  checkClient(world, given);
  const { grant_type = 'authorization_code', ...args } = parseArguments(Arguments, given);
  if (grant_type === 'authorization_code') return exchangeCode(world, args);
  if (grant_type !== 'refresh_token') throw new SlackError('invalid_grant_type');
  const { installation, issued } = refreshTokens(world, args.refresh_token);
  return present(world, installation, issued);
}

function exchangeCode(world: World, { code, redirect_uri }: z.output<typeof Arguments>): object {
  const { team_id, scopes, user } = takeCode(world, code, redirect_uri);
  const earlier = world.installations.get(team_id);
  // Scopes add up until the app is uninstalled.
  const held = earlier?.status === 'active' ? earlier.scopes : [];
  const { installation, issued } = installApp(world, team_id, { scopes: [...new Set([...held, ...scopes])] });
  return { ...present(world, installation, issued), authed_user: { id: user } };
}

function present(world: World, app: Installation, { access_token, ...rotation }: IssuedTokens) {
  const enterprise = enterpriseOf(world, app);
  const team = world.teams.get(app.team_id);
  return {
    app_id: app.app_id,
    scope: app.scopes.join(','),
    token_type: 'bot',
    access_token,
    ...rotation,
    bot_user_id: app.bot_user_id,
    team: team ? { id: team.id, name: team.name } : null,
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: app.is_enterprise_install,
  };
}

/** Refuses a call that does not name the app and prove it. */
function checkClient({ app }: World, { client_id, client_secret }: Record<string, unknown>): void {
  if (client_id !== app.clientId) throw new SlackError('invalid_client_id');
  if (client_secret !== app.clientSecret) throw new SlackError('bad_client_secret');
}
