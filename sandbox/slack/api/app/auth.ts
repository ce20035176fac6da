import { z } from 'zod';
import type { HttpRequest } from '../../../lib/http/server.ts';
import { SlackError } from '../../slack-error.ts';
import { revokeInstallation, teamsServed } from '../../world/app/installations.ts';
import { installationByToken, revokeAccessToken } from '../../world/app/tokens.ts';
import type { Installation } from '../../world/types.ts';
import { userOf } from '../../world/users.ts';
import type { World } from '../../world/world.ts';
import { flag, limit } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';
import { pageOf } from '../pages.ts';

/** The token of a call: in the header, or as an argument. */
export function tokenOf({ headers }: HttpRequest, args: Record<string, unknown>): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (typeof args['token'] === 'string' ? args['token'] : undefined);
}

/** The installation that a token belongs to. */
export function authenticate(world: World, token: string | undefined): Installation {
  if (!token) throw new SlackError('not_authed');
  return installationByToken(world, token);
}

/** Where a workspace lives; `.test` never resolves. */
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

/** The workspaces that a token works in: of an org-wide installation, all of the organization's. */
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

/** Where tokens rotate, one token ends and the installation goes on; else the bot leaves its channels, and the app is told. */
export const authRevoke: ApiMethod = method({
  name: 'auth.revoke',
  tier: 3,
  scopes: [],
  args: z.object({ test: flag }),
  run: ({ world, app, token }, { test }) => {
    if (test) return { revoked: false };
    if (revokeAccessToken(world, token) === 'one_of_many') return { revoked: true };
    for (const { members } of world.channels.values()) members.delete(app.bot_user_id);
    revokeInstallation(world, app);
    return { revoked: true };
  },
});
