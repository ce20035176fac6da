import { z } from 'zod';
import type { HttpRequest } from '../../lib/http-server.ts';
import { SlackError } from '../slack-error.ts';
import type { Installation } from '../world/types.ts';
import { userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';
import { type ApiMethod, method } from './method.ts';

/** The token of a call: in the header, or as an argument. */
export function tokenOf({ headers }: HttpRequest, args: Record<string, unknown>): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (typeof args['token'] === 'string' ? args['token'] : undefined);
}

/** The installation that a token belongs to. */
export function authenticate(world: World, token: string | undefined): Installation {
  if (!token) throw new SlackError('not_authed');
  const app = [...world.installations.values()].find((installation) => installation.token === token);
  if (!app) throw new SlackError('invalid_auth');
  if (app.status === 'revoked') throw new SlackError('token_revoked');
  if (app.status === 'uninstalled') throw new SlackError('account_inactive');
  return app;
}

/** Where a workspace lives; `.test` never resolves. */
export const teamUrl = (domain: string) => `https://${domain}.slack.test/`;

export const authTest: ApiMethod = method({
  name: 'auth.test',
  tier: 'unlimited',
  scopes: [],
  args: z.object({}),
  run: ({ world, app }) => {
    const team = world.teams.get(app.team_id);
    return {
      url: teamUrl(team?.domain ?? ''),
      team: team?.name,
      user: userOf(world, app.bot_user_id).name,
      team_id: app.team_id,
      user_id: app.bot_user_id,
      bot_id: app.bot_id,
      is_enterprise_install: false,
    };
  },
});
