import { z } from 'zod';
import type { HttpRequest } from '../../../lib/http/server.ts';
import { takeCode } from '../../oauth/decide.ts';
import { SlackError } from '../../slack-error.ts';
import { installApp } from '../../world/app/installations.ts';
import { type IssuedTokens, refreshTokens } from '../../world/app/tokens.ts';
import type { Installation } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { parseArguments } from '../arguments.ts';

export const OAUTH_V2_ACCESS = 'oauth.v2.access';

const Arguments = z.object({
  grant_type: z.string().optional(),
  code: z.string().default(''),
  redirect_uri: z.string().optional(),
  refresh_token: z.string().default(''),
});

/**
 * Exchanges a code or a refresh token for tokens. The exchange of a code installs the app.
 * @see https://docs.slack.dev/reference/methods/oauth.v2.access
 */
export function oauthAccess(
  world: World,
  request: Pick<HttpRequest, 'headers'>,
  given: Record<string, unknown>,
): object {
  checkClient(world, request, given);
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
  const enterprise = app.enterprise_id === null ? undefined : world.enterprises.get(app.enterprise_id);
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

/** Refuses a call that does not name the app and prove it: by HTTP Basic, or by `client_id` and `client_secret`. */
function checkClient(
  { app }: World,
  { headers }: Pick<HttpRequest, 'headers'>,
  args: Record<string, unknown>,
): void {
  const basic = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const [id, secret] = basic ? readBasic(basic) : [args['client_id'], args['client_secret']];
  if (id !== app.clientId) throw new SlackError('invalid_client_id');
  if (secret !== app.clientSecret) throw new SlackError('bad_client_secret');
}

function readBasic(encoded: string): string[] {
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [id, secret.join(':')];
}
