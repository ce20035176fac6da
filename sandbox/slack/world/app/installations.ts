import { randomBytes } from 'node:crypto';
import { SlackError } from '../../slack-error.ts';
import type { AccessToken, Installation, RefreshToken } from '../types.ts';
import { addUser, workspacesOf } from '../users.ts';
import type { World } from '../world.ts';

/** The one app of the sandbox. Slack still sends the deprecated verification token, which nothing should use. */
export const APP = {
  id: 'A0COUNTERMAND',
  name: 'Countermand',
  verificationToken: 'sandbox-verification-token',
};

/**
 * Installs the app into a workspace, or (by the id of an organization) into all of an organization's. Installing again
 * issues a new token for the same bot user, and the earlier tokens give invalid_auth, even if the app was not uninstalled (seen
 * after a reinstallation: slackapi/bolt-python#1029).
 */
export function installApp(
  world: World,
  id: string,
  options: { scopes?: readonly string[]; token?: string } = {},
): { installation: Installation; issued: IssuedTokens } {
  const earlier = world.installations.get(id);
  const bot = { team_id: id, name: APP.name.toLowerCase(), real_name: APP.name, is_bot: true };
  const installation: Installation = {
    ...placeOf(world, id),
    team_id: id,
    app_id: APP.id,
    bot_id: earlier?.bot_id ?? world.nextId('B'),
    bot_ids: earlier?.bot_ids ?? new Map(),
    bot_user_id: earlier?.bot_user_id ?? addUser(world, bot).id,
    token: '',
    scopes: [...(options.scopes ?? world.app.scopes)],
    withoutAccess: new Set(),
    status: 'active',
  };
  world.installations.set(id, installation);
  forgetTokens(world, id);
  const issued = options.token
    ? { access_token: addAccessToken(world, installation, options.token) }
    : issueTokens(world, installation);
  world.changes.publish({ type: 'app_installed', installation });
  return { installation, issued };
}

function placeOf(world: World, id: string): Pick<Installation, 'enterprise_id' | 'is_enterprise_install'> {
  if (world.enterprises.has(id)) return { enterprise_id: id, is_enterprise_install: true };
  const team = world.teams.get(id);
  if (!team) throw new Error(`there is no workspace ${id}`);
  return { enterprise_id: team.enterprise_id ?? null, is_enterprise_install: false };
}

/** Uninstalls the app. Its token no longer works, and the app gets two events, in either order. */
export function uninstallApp(
  world: World,
  installation: Installation,
  first: 'app_uninstalled' | 'tokens_revoked' = 'app_uninstalled',
): void {
  installation.status = 'uninstalled';
  const second = first === 'app_uninstalled' ? 'tokens_revoked' : 'app_uninstalled';
  for (const type of [first, second] as const) world.changes.publish({ type, installation });
}

export function revokeInstallation(world: World, installation: Installation): void {
  installation.status = 'revoked';
  world.changes.publish({ type: 'tokens_revoked', installation });
}

/** Removes the app from one workspace of an organization, or adds it again. On removal its bot leaves the channels. */
export function setAccess(world: World, installation: Installation, team: string, has: boolean): void {
  if (!workspacesOf(world, installation.team_id).includes(team) || !installation.is_enterprise_install)
    throw new Error(`${team} is no workspace of ${installation.team_id}`);
  if (has) installation.withoutAccess.delete(team);
  else installation.withoutAccess.add(team);
  for (const channel of world.channels.values())
    if (!has && channel.team_id === team) channel.members.delete(installation.bot_user_id);
  const type = has ? 'team_access_granted' : 'team_access_revoked';
  world.changes.publish({ type, installation, teams: [team] });
}

export const enterpriseOf = ({ enterprises }: World, { enterprise_id }: Installation) =>
  enterprises.get(enterprise_id ?? '');

export const teamsServed = (world: World, { team_id, withoutAccess }: Installation): string[] =>
  workspacesOf(world, team_id).filter((id) => !withoutAccess.has(id));

export function installationOf(world: World, id: string): Installation {
  const installation = world.installations.get(id);
  if (!installation) throw new Error(`the app is not installed in ${id}`);
  return installation;
}

/**
 * Returns the bot_id with which an installation posts in a workspace: it "is unique for every workspace the bot is in"
 * (https://docs.slack.dev/reference/methods/bots.info). The bot user is one for all of them.
 */
export function botIdIn(world: World, app: Installation, teamId: string): string {
  if (!app.is_enterprise_install) return app.bot_id;
  const bot_id = app.bot_ids.get(teamId) ?? world.nextId('B');
  app.bot_ids.set(teamId, bot_id);
  return bot_id;
}

/** Returns the installation with a bot_id, in whichever workspace. */
export const installationOfBot = (world: World, bot_id: string): Installation | undefined =>
  [...world.installations.values()].find((app) => [app.bot_id, ...app.bot_ids.values()].includes(bot_id));

/** Returns the installation that serves a workspace: its own, else the org-wide one. An active one precedes any other. */
export function installationServing(world: World, teamId: string): Installation | undefined {
  const ids = [teamId, world.teams.get(teamId)?.enterprise_id ?? ''];
  const all = ids.flatMap((id) => world.installations.get(id) ?? []);
  const found = all.filter(({ withoutAccess }) => !withoutAccess.has(teamId));
  return found.find(({ status }) => status === 'active') ?? found[0];
}

/** New tokens, in the format of oauth.v2.access. */
export type IssuedTokens = {
  access_token: string;
  expires_in?: number;
  refresh_token?: string;
};

/** Slack's limit: if more are active after a refresh, the oldest is revoked. */
const MAX_ACTIVE = 2;

const random = () => randomBytes(18).toString('hex');

/**
 * Issues a new token, with a refresh token if the app rotates its tokens.
 * @param from the refresh token that is exchanged for it
 */
export function issueTokens(world: World, app: Installation, from?: string): IssuedTokens {
  const { tokenRotation, tokenLifetimeSeconds } = world.app;
  if (!tokenRotation) return { access_token: addAccessToken(world, app, `xoxb-${app.team_id}-${random()}`) };
  const refresh_token = `xoxe-1-${random()}`;
  const fresh = { token: refresh_token, team_id: app.team_id, from, is_revoked: false };
  world.refreshTokens.set(refresh_token, fresh);
  const expires_at = world.now() + tokenLifetimeSeconds * 1000;
  const access_token = addAccessToken(world, app, `xoxe.xoxb-1-${random()}`, expires_at);
  return { access_token, expires_in: tokenLifetimeSeconds, refresh_token };
}

function addAccessToken(world: World, app: Installation, token: string, expires_at?: number): string {
  world.accessTokens.set(token, { token, team_id: app.team_id, expires_at, is_revoked: false });
  app.token = token;
  return token;
}

/**
 * Exchanges a refresh token for a new pair. The previous access token stays valid until it expires. A
 * refresh token is valid once. For a short time an app that did not get the answer can use it again; the tokens of
 * the first answer can't be refreshed any more (slackapi/node-slack-sdk#2504).
 */
export function refreshTokens(world: World, token: string) {
  const found = world.refreshTokens.get(token);
  const installation = found && world.installations.get(found.team_id);
  if (!found || found.is_revoked || installation?.status !== 'active' || isGraceOver(world, found)) {
    throw new SlackError('invalid_refresh_token');
  }
  for (const other of world.refreshTokens.values()) if (other.from === token) other.is_revoked = true;
  found.used_at ??= world.now();
  const issued = issueTokens(world, installation, token);
  const live = [...world.accessTokens.values()].filter(
    (each) => each.team_id === installation.team_id && !each.is_revoked && !isExpired(world, each),
  );
  for (const old of live.slice(0, -MAX_ACTIVE)) old.is_revoked = true;
  return { installation, issued };
}

/** The time within which a used refresh token can be used again. Slack says "a short grace period". */
const REFRESH_GRACE_MS = 10_000;

const isGraceOver = (world: World, { used_at }: RefreshToken) =>
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

function forgetTokens(world: World, teamId: string): void {
  for (const tokens of [world.accessTokens, world.refreshTokens]) {
    for (const { token, team_id } of [...tokens.values()]) if (team_id === teamId) tokens.delete(token);
  }
}
