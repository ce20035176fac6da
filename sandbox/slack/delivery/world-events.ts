import { presentMessage } from '../present/message.ts';
import { presentUser } from '../present/user.ts';
import type { WorldChange } from '../world/changes.ts';
import { channelOf } from '../world/channels.ts';
import type { Channel, Installation, Message } from '../world/types.ts';
import { isUserVisible } from '../world/users.ts';
import type { World } from '../world/world.ts';
import type { EventSender } from './events.ts';

/** An event that an app hears of if it subscribed to it. */
type AppEvent = {
  /** The name in the app's manifest: `message.channels`, `app_uninstalled`. */
  subscription: string;
  event: Record<string, unknown>;
  channel?: Channel;
};

/** From now on, tells the app of every change that it subscribed to and can see. */
export function sendWorldEvents(world: World, sender: EventSender, subscriptions: ReadonlySet<string>): void {
  world.changes.subscribe((change) => {
    for (const app of world.installations.values()) {
      const found = eventOf(world, app, change);
      if (found && subscriptions.has(found.subscription)) sender.send(app, found.event, found.channel);
    }
  });
}

function eventOf(world: World, app: Installation, change: WorldChange): AppEvent | undefined {
  if (change.type === 'app_uninstalled' || change.type === 'tokens_revoked') {
    return change.installation.team_id === app.team_id ? installationEvent(app, change.type) : undefined;
  }
  if (app.status !== 'active') return undefined;
  if (change.type === 'user_changed') {
    if (!isUserVisible(world, app.team_id, change.user)) return undefined;
    const user = presentUser(world, app.team_id, change.user);
    return { subscription: 'user_change', event: { type: 'user_change', user, event_ts: world.nextTs() } };
  }
  const isOwnLeaving = change.type === 'member_left' && change.user === app.bot_user_id;
  const channel = channelOfChange(world, change);
  if (!channel || !(channel.members.has(app.bot_user_id) || isOwnLeaving)) return undefined;
  const made = channelEvent(world, app, channel, change);
  return made && { channel, ...made };
}

function installationEvent(app: Installation, type: 'app_uninstalled' | 'tokens_revoked'): AppEvent {
  const tokens = { tokens: { oauth: [], bot: [app.bot_user_id] } };
  return { subscription: type, event: { type, ...(type === 'tokens_revoked' && tokens) } };
}

function channelOfChange(world: World, change: WorldChange): Channel | undefined {
  if ('channel' in change) return change.channel;
  return 'message' in change ? channelOf(world, change.message.channel) : undefined;
}

function channelEvent(
  world: World,
  app: Installation,
  channel: Channel,
  change: WorldChange,
): Omit<AppEvent, 'channel'> | undefined {
  const event_ts = world.nextTs();
  const family = channel.kind === 'private' ? 'group' : 'channel';
  switch (change.type) {
    case 'message_posted':
    case 'message_changed':
    case 'message_deleted':
      return messageEvent(world, channel, change, event_ts);
    case 'member_joined':
    case 'member_left': {
      if (change.type === 'member_left' && change.user === app.bot_user_id) {
        return named(`${family}_left`, { channel: channel.id, event_ts });
      }
      const type = change.type === 'member_joined' ? 'member_joined_channel' : 'member_left_channel';
      const channel_type = family === 'group' ? 'G' : 'C';
      return named(type, {
        user: change.user,
        channel: channel.id,
        channel_type,
        team: channel.team_id,
        event_ts,
      });
    }
    case 'channel_archived':
      return named(`${family}_archive`, { channel: channel.id, event_ts });
    case 'channel_unarchived':
      return named(`${family}_unarchive`, { channel: channel.id, event_ts });
    case 'channel_shared':
    case 'channel_unshared':
      return named(change.type, { channel: channel.id, event_ts });
    default:
      return undefined;
  }
}

const named = (type: string, fields: Record<string, unknown>) => ({
  subscription: type,
  event: { type, ...fields },
});

function messageEvent(
  world: World,
  channel: Channel,
  change: Extract<WorldChange, { message: Message }>,
  event_ts: string,
): Omit<AppEvent, 'channel'> {
  const kind = { public: 'channel', private: 'group', im: 'im' }[channel.kind];
  const common = { type: 'message', channel: channel.id, channel_type: kind, event_ts };
  const message = presentMessage(world, channel, change.message);
  const subscription = kind === 'im' ? 'message.im' : `message.${kind}s`;
  if (change.type === 'message_changed') {
    const previous_message = presentMessage(world, channel, change.previous);
    const changed = { subtype: 'message_changed', hidden: true, ts: event_ts, message, previous_message };
    return { subscription, event: { ...common, ...changed } };
  }
  if (change.type === 'message_deleted') {
    const deleted = { subtype: 'message_deleted', hidden: true, ts: event_ts, deleted_ts: change.message.ts };
    return { subscription, event: { ...common, ...deleted, previous_message: message } };
  }
  return { subscription, event: { ...message, ...common } };
}
