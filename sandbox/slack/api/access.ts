/** The channels, scopes and workspaces to which a token gives access, in every method alike. */
import { SlackError } from '../slack-error.ts';
import { teamsServed } from '../world/app/installations.ts';
import { channelScope, directMessage } from '../world/channels.ts';
import type { Channel, Installation, User } from '../world/types.ts';
import { isInTeam, isUserVisible } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { ApiCall, ApiMethod } from './method.ts';

/** Returns a channel that is visible to the app: public ones of its workspace, and those that its bot is in. */
export function knownChannel({ world, app, teams }: ApiCall, id: string): Channel {
  const channel = world.channels.get(id);
  if (channel && app.withoutAccess.has(channel.team_id)) throw new SlackError('team_access_not_granted');
  const isMember = channel?.members.has(app.bot_user_id) ?? false;
  const isKnown =
    channel && (isMember || (channel.kind === 'public' && teams.some((team) => isInTeam(channel, team))));
  if (!isKnown) throw new SlackError('channel_not_found');
  return channel;
}

export function readableChannel(call: ApiCall, id: string): Channel {
  const channel = knownChannel(call, id);
  requireScope(call.app, channelScope(channel.kind, 'read'));
  return channel;
}

/** Returns a channel whose messages the app may read; its bot must be a member. */
export function historyChannel(call: ApiCall, id: string): Channel {
  const channel = knownChannel(call, id);
  requireScope(call.app, channelScope(channel.kind, 'history'));
  if (!channel.members.has(call.app.bot_user_id)) throw new SlackError('not_in_channel');
  return channel;
}

/**
 * Returns a channel that the app may post to, by its id. As in Slack, a user's id means the direct message with them, though
 * they were deactivated (slackapi/python-slack-sdk#1156).
 */
export function postableChannel(call: ApiCall, id: string): Channel {
  const user = call.world.users.get(id);
  const isUser = user && isUserVisible(call.world, call.app.team_id, user);
  return writableChannel(call, isUser ? directMessageWith(call, user).id : id);
}

export function writableChannel(call: ApiCall, id: string): Channel {
  const channel = knownChannel(call, id);
  if (channel.is_archived) throw new SlackError('is_archived');
  if (!channel.members.has(call.app.bot_user_id)) throw new SlackError('not_in_channel');
  return channel;
}

/** Returns the direct message of the app's bot with a user; in an organization it is in that user's workspace. */
export function directMessageWith({ world, app, teams }: ApiCall, { id, team_id }: User): Channel {
  const home = app.is_enterprise_install && teams.includes(team_id) ? team_id : app.team_id;
  return directMessage(world, id, app.bot_user_id, home);
}

export function requireScope(app: Installation, ...anyOf: readonly string[]): void {
  if (anyOf.length === 0 || anyOf.some((scope) => app.scopes.includes(scope))) return;
  throw new SlackError('missing_scope', { needed: anyOf.join(','), provided: app.scopes.join(',') });
}

/** Returns the workspaces of a call. `team_id` counts only with the token of an org-wide installation. */
export function teamsOfCall(
  world: World,
  app: Installation,
  { needsTeam }: Pick<ApiMethod, 'needsTeam'>,
  { team_id }: Record<string, unknown>,
): readonly string[] {
  const served = teamsServed(world, app);
  if (!app.is_enterprise_install) return served;
  if (typeof team_id !== 'string' || team_id === '') {
    if (needsTeam) throw new SlackError('missing_argument');
    return served;
  }
  if (!served.includes(team_id)) throw new SlackError('team_access_not_granted');
  return [team_id];
}
