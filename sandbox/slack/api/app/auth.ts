import { z } from 'zod';
import type { HttpRequest } from '../../../lib/http/server.ts';
import type { Sockets } from '../../delivery/socket/sockets.ts';
import { SlackError } from '../../slack-error.ts';
import { teamsServed } from '../../world/app/installations.ts';
import { installationByToken } from '../../world/app/tokens.ts';
import type { Installation } from '../../world/types.ts';
import { userOf } from '../../world/users.ts';
import type { World } from '../../world/world.ts';
import { limit } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';
import { pageOf } from '../pages.ts';

/** Returns the token of a call, from the header or an argument. */
export function tokenOf({ headers }: HttpRequest, args: Record<string, unknown>): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (typeof args['token'] === 'string' ? args['token'] : undefined);
}

/** Returns the installation that a token belongs to. */
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
  args: z.object({}),
  run: ({ world, app }) => {
    const { team_id, enterprise_id, is_enterprise_install } = app;
    const place = world.teams.get(team_id) ?? world.enterprises.get(team_id);
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
  args: z.object({ cursor: z.string().optional(), limit: limit(100, 1000) }),
  run: ({ world, app }, args) => {
    const all = teamsServed(world, app).map((id) => ({ id, name: world.teams.get(id)?.name }));
    const { items, response_metadata } = pageOf(world, all, args);
    return { teams: items, response_metadata };
  },
});

/** The only method that takes the app-level token, and only in the header. */
export const APPS_CONNECTIONS_OPEN = 'apps.connections.open';

/** The dependencies of apps.connections.open. */
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
  if (!headers.authorization) throw new SlackError('invalid_auth');
  return { url: `ws://${headers.host}${sockets.issueTarget()}` };
}
