/** The payloads of commands and interactions, and the triggers in them. */
import { randomBytes } from 'node:crypto';
import { presentAny, presentMessage } from '../present.ts';
import { SlackError } from '../slack-error.ts';
import { APP, enterpriseOf } from '../world/app/installations.ts';
import { channelOf } from '../world/channels.ts';
import type {
  Channel,
  Enterprise,
  Ephemeral,
  HomePage,
  Installation,
  Message,
  Team,
  Trigger,
  User,
  View,
} from '../world/types.ts';
import { actingIn } from '../world/users.ts';
import type { World } from '../world/world.ts';
import { createResponseUrl } from './respond.ts';

export type PayloadContext = {
  world: World;
  origin: string;
  app: Installation;
};

export function commandPayload(
  { world, origin, app }: PayloadContext,
  { user, channel, command, text }: { user: User; channel: Channel; command: string; text: string },
): Record<string, string> {
  const to = { team_id: app.team_id, channel: channel.id, user: user.id };
  const enterprise = enterpriseOf(world, app);
  const team = teamOf(world, app.is_enterprise_install ? actingIn(user, channel) : app.team_id);
  return {
    token: APP.verificationToken,
    team_id: team.id,
    team_domain: team.domain,
    ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    channel_id: channel.id,
    channel_name: shownName(channel),
    user_id: user.id,
    user_name: user.name,
    command,
    text,
    api_app_id: app.app_id,
    is_enterprise_install: String(app.is_enterprise_install),
    response_url: origin + createResponseUrl(world, to, 'commands'),
    trigger_id: createTrigger(world, { user: user.id, team_id: app.team_id, channel: channel.id }),
  };
}

/** Returns the name of a channel in payloads, which hide the names of private channels and direct messages. */
export const shownName = ({ kind, name }: Channel) =>
  ({ public: name, private: 'privategroup', im: 'directmessage' })[kind];

/**
 * Returns the fields of every interactivity payload. In a shared channel `team` is the app's, not the person's; for an
 * org-wide installation it is null, and the person's team names the workspace.
 *
 * @param team_id the workspace that is named as the person's
 */
export function interactionBase({ world, app }: PayloadContext, user: User, team_id: string = user.team_id) {
  const enterprise = enterpriseOf(world, app);
  return {
    api_app_id: app.app_id,
    token: APP.verificationToken,
    team: app.is_enterprise_install ? null : presentTeam(teamOf(world, app.team_id), enterprise),
    user: { id: user.id, username: user.name, name: user.name, team_id },
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: app.is_enterprise_install,
  };
}

const presentTeam = ({ id, domain }: Team, enterprise: Enterprise | undefined) => ({
  id,
  domain,
  ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
});

export function triggerField(
  { world, app }: PayloadContext,
  user: User,
  where: { channel?: string | undefined; view_id?: string | undefined },
) {
  return { trigger_id: createTrigger(world, { user: user.id, team_id: app.team_id, ...where }) };
}

/** The surface on which a person acted: a message of a channel, or a view. */
export type Surface = { message: Message | Ephemeral } | { view: View | HomePage };

/** Returns the fields for the surface: container, channel, message and state, or container and view. */
export function surfaceFields(context: PayloadContext, surface: Surface) {
  return 'view' in surface ? viewFields(surface.view) : messageFields(context, surface.message);
}

function viewFields(view: View | HomePage) {
  return { container: { type: 'view', view_id: view.id }, view: presentAny(view) };
}

function messageFields({ world }: PayloadContext, message: Message | Ephemeral) {
  const channel = channelOf(world, message.channel);
  const is_ephemeral = !('reactions' in message);
  const { thread_ts } = message;
  const container = { type: 'message', message_ts: message.ts, channel_id: channel.id, is_ephemeral };
  return {
    container: { ...container, ...(thread_ts && { thread_ts }) },
    channel: { id: channel.id, name: shownName(channel) },
    ...('reactions' in message && { message: presentMessage(world, channel, message) }),
  };
}

export function messageResponseUrl(
  { world, origin, app }: PayloadContext,
  user: User,
  { channel }: Message | Ephemeral,
  family: 'actions' | 'app',
) {
  const to = { team_id: app.team_id, channel, user: user.id };
  return { response_url: origin + createResponseUrl(world, to, family) };
}

function teamOf(world: World, id: string) {
  const team = world.teams.get(id);
  if (!team) throw new Error(`there is no team ${id}`);
  return team;
}

function createTrigger(world: World, given: Omit<Trigger, 'expires_at' | 'exchanged'>): string {
  const id = `${world.now()}.${world.triggers.size + 1}.${randomBytes(16).toString('hex')}`;
  world.triggers.set(id, { ...given, expires_at: world.now() + world.triggerMs, exchanged: false });
  return id;
}

export function exchangeTrigger(world: World, id: string, installation: Installation): Trigger {
  const trigger = world.triggers.get(id);
  if (trigger?.team_id !== installation.team_id) throw new SlackError('invalid_trigger_id');
  if (trigger.exchanged) throw new SlackError('exchanged_trigger_id');
  if (world.now() > trigger.expires_at) throw new SlackError('expired_trigger_id');
  trigger.exchanged = true;
  return trigger;
}
