import { randomBytes } from 'node:crypto';
import { SlackError } from '../../slack-error.ts';
import type { AccessToken, Installation, RefreshToken } from '../types.ts';
import type { World } from '../world.ts';

/** New tokens, in the format of oauth.v2.access. */
export type IssuedTokens = {
  access_token: string;
  expires_in?: number;
  refresh_token?: string;
};

/** Slack's limit: if more are active after a refresh, the oldest is revoked. */
const MAX_ACTIVE = 2;

const random = () => randomBytes(18).toString('hex');

/** Issues a new token, with a refresh token if the app rotates its tokens. */
export function issueTokens(world: World, app: Installation, given?: { from?: string }): IssuedTokens {
  const { tokenRotation, tokenLifetimeSeconds } = world.app;
  if (!tokenRotation) return { access_token: addAccessToken(world, app, `xoxb-${app.team_id}-${random()}`) };
  const refresh_token = `xoxe-1-${random()}`;
  const fresh = { token: refresh_token, team_id: app.team_id, from: given?.from, is_revoked: false };
  world.refreshTokens.set(refresh_token, fresh);
  const expires_at = world.now() + tokenLifetimeSeconds * 1000;
  const access_token = addAccessToken(world, app, `xoxe.xoxb-1-${random()}`, expires_at);
  return { access_token, expires_in: tokenLifetimeSeconds, refresh_token };
}

/** Adds a token to an installation, as its newest. */
export function addAccessToken(world: World, app: Installation, token: string, expires_at?: number): string {
  world.accessTokens.set(token, { token, team_id: app.team_id, expires_at, is_revoked: false });
  app.token = token;
  return token;
}

/**
 * Exchanges a refresh token for a new pair. The previous access token stays valid until it expires. A
 * refresh token is valid once. For a short time an app that did not get the answer can use it again; the tokens of
 * the first answer can't be refreshed any more (slackapi/node-slack-sdk#2504).
 */
export function refreshTokens(
  world: World,
  token: string,
): { installation: Installation; issued: IssuedTokens } {
  const found = world.refreshTokens.get(token);
  const installation = found && world.installations.get(found.team_id);
  if (!found || found.is_revoked || installation?.status !== 'active' || isOver(world, found)) {
    throw new SlackError('invalid_refresh_token');
  }
  for (const other of world.refreshTokens.values()) if (other.from === token) other.is_revoked = true;
  found.used_at ??= world.now();
  const issued = issueTokens(world, installation, { from: token });
  for (const old of liveTokens(world, installation).slice(0, -MAX_ACTIVE)) old.is_revoked = true;
  return { installation, issued };
}

/** The time within which a used refresh token can be used again. Slack says "a short grace period". */
const REFRESH_GRACE_MS = 10_000;

const isOver = (world: World, { used_at }: RefreshToken) =>
  used_at !== undefined && world.now() - used_at > REFRESH_GRACE_MS;

/** Returns the installation of an access token. @throws SlackError with the reason why the token is invalid */
export function installationByToken(world: World, token: string): Installation {
  const found = world.accessTokens.get(token);
  const app = found && world.installations.get(found.team_id);
  if (!found || !app) throw new SlackError('invalid_auth');
  if (app.status === 'uninstalled') throw new SlackError('account_inactive');
  if (app.status === 'revoked' || found.is_revoked) throw new SlackError('token_revoked');
  if (isExpired(world, found)) throw new SlackError('token_expired');
  return app;
}

const isExpired = (world: World, { expires_at }: AccessToken) =>
  expires_at !== undefined && world.now() >= expires_at;

function liveTokens(world: World, app: Installation): AccessToken[] {
  return accessTokensOf(world, app).filter((each) => !each.is_revoked && !isExpired(world, each));
}

const accessTokensOf = (world: World, { team_id }: Installation) =>
  [...world.accessTokens.values()].filter((each) => each.team_id === team_id);

/** Lets all access tokens of an installation expire now, as after twelve hours. */
export function expireTokens(world: World, app: Installation): void {
  for (const each of accessTokensOf(world, app)) each.expires_at = world.now();
}

/** Removes all tokens of an installation. */
export function forgetTokens(world: World, teamId: string): void {
  for (const tokens of [world.accessTokens, world.refreshTokens]) {
    for (const { token, team_id } of [...tokens.values()]) if (team_id === teamId) tokens.delete(token);
  }
}
