import { randomBytes } from 'node:crypto';
import type { Installation } from './types.ts';
import { addUser } from './users.ts';
import type { World } from './world.ts';

/** What the app asks for where no manifest is given. */
export const DEFAULT_SCOPES = [
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:read',
  'usergroups:read',
  'users:read',
];

/** The one app of the sandbox. Slack still sends the deprecated verification token; nothing should look at it. */
export const APP = {
  id: 'A0COUNTERMAND',
  name: 'Countermand',
  verificationToken: 'sandbox-verification-token',
};

/** Installs the app into a workspace. Installing again issues a new token for the same bot user. */
export function installApp(
  world: World,
  teamId: string,
  options: { scopes?: readonly string[]; token?: string } = {},
): Installation {
  const earlier = world.installations.get(teamId);
  const installation: Installation = {
    team_id: teamId,
    app_id: APP.id,
    bot_id: earlier?.bot_id ?? world.nextId('B'),
    bot_user_id: earlier?.bot_user_id ?? addBotUser(world, teamId),
    token: options.token ?? `xoxb-${teamId}-${randomBytes(12).toString('hex')}`,
    scopes: [...(options.scopes ?? world.appScopes)],
    status: 'active',
  };
  world.installations.set(teamId, installation);
  return installation;
}

function addBotUser(world: World, teamId: string): string {
  const name = APP.name.toLowerCase();
  return addUser(world, { team_id: teamId, name, real_name: APP.name, is_bot: true }).id;
}

/** The installation in a workspace that must have one. */
export function installationOf(world: World, teamId: string): Installation {
  const installation = world.installations.get(teamId);
  if (!installation) throw new Error(`the app is not installed in ${teamId}`);
  return installation;
}
