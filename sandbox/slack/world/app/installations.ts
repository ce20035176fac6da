import type { Installation } from '../types.ts';
import { addUser, workspacesOf } from '../users.ts';
import type { World } from '../world.ts';
import { addAccessToken, forgetTokens, type IssuedTokens, issueTokens } from './tokens.ts';

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
  const installation: Installation = {
    ...placeOf(world, id),
    team_id: id,
    app_id: APP.id,
    bot_id: earlier?.bot_id ?? world.nextId('B'),
    bot_user_id: earlier?.bot_user_id ?? addBotUser(world, id),
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

function addBotUser(world: World, teamId: string): string {
  const name = APP.name.toLowerCase();
  return addUser(world, { team_id: teamId, name, real_name: APP.name, is_bot: true }).id;
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

/** Revokes the token of an installation, and sends the app the event. */
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

/** Returns the workspaces that an installation serves. */
export const teamsServed = (world: World, { team_id, withoutAccess }: Installation): string[] =>
  workspacesOf(world, team_id).filter((id) => !withoutAccess.has(id));

/** Returns the installation in a workspace or an organization; throws if there is none. */
export function installationOf(world: World, id: string): Installation {
  const installation = world.installations.get(id);
  if (!installation) throw new Error(`the app is not installed in ${id}`);
  return installation;
}

/** Returns the installation that serves a workspace: its own, else the org-wide one; the last one if none is active. */
export function installationServing(world: World, teamId: string): Installation | undefined {
  const ids = [teamId, world.teams.get(teamId)?.enterprise_id ?? ''];
  const all = ids.flatMap((id) => world.installations.get(id) ?? []);
  const found = all.filter(({ withoutAccess }) => !withoutAccess.has(teamId));
  return found.find(({ status }) => status === 'active') ?? found[0];
}
