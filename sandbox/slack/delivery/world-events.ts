/** Makes the events of changes in the world, for every installation that subscribed to them and can see them. */
import { presentHome, presentMessage, presentUserGroup } from '../present.ts';
import { homeOf } from '../views/views.ts';
import { installationServing } from '../world/app/installations.ts';
import { channelOf, channelScope, directMessage } from '../world/channels.ts';
import type { Channel, Installation } from '../world/types.ts';
import { isExternallyShared, userOf, workspacesOf } from '../world/users.ts';
import type { World, WorldChange } from '../world/world.ts';
import type { AppEvent, EventSender } from './events.ts';

/** Sends the app an event for every later change that it subscribed to and can see. */
export function sendWorldEvents(world: World, sender: EventSender, subscriptions: ReadonlySet<string>): void {
  world.changes.subscribe((change) => {
    for (const app of world.installations.values()) {
      const events = eventsOf(world, app, change).filter(
        ({ subscription, scope }) =>
          subscriptions.has(subscription) && (scope === undefined || app.scopes.includes(scope)),
      );
      for (const { event, channel } of events) sender.send(app, event, channel);
      if (events.length > 0 && isDeliveredOnce(change)) return;
    }
  });
}

/**
 * A change of a message in a channel with two installations of the app is delivered once, and its `authorizations` name one
 * of the two (https://docs.slack.dev/apis/slack-connect/, "No duplicated event triggering between shared channels"): here the
 * one that was installed first.
 */
const isDeliveredOnce = (change: WorldChange) => 'message' in change;

function eventsOf(world: World, app: Installation, change: WorldChange): AppEvent[] {
  if (change.type === 'app_uninstalled' || change.type === 'tokens_revoked') {
    return change.installation.team_id === app.team_id ? [installationEvent(app, change.type)] : [];
  }
  if (app.status !== 'active') return [];
  if (change.type === 'team_access_granted' || change.type === 'team_access_revoked')
    return accessEvents(world, app, change);
  if (change.type === 'user_group_changed') {
    return workspacesOf(world, app.team_id).includes(change.group.team_id) ? userGroupEvents(change) : [];
  }
  return change.type === 'home_opened'
    ? homeEvents(world, app, change.user)
    : conversationEvents(world, app, change);
}

function accessEvents(
  world: World,
  app: Installation,
  { type, teams: team_ids, installation }: Extract<WorldChange, { teams: unknown }>,
): AppEvent[] {
  const event = { type, team_ids, event_ts: world.nextTs() };
  return installation.team_id === app.team_id ? [{ subscription: type, event }] : [];
}

/**
 * Returns the event of a person who opens the Home tab, for the installation that serves their workspace
 * (https://docs.slack.dev/reference/events/app_home_opened).
 */
function homeEvents(world: World, app: Installation, userId: string): AppEvent[] {
  const user = userOf(world, userId);
  if (installationServing(world, user.team_id)?.team_id !== app.team_id) return [];
  const channel = directMessage(world, user.id, app.bot_user_id, user.team_id);
  const page = homeOf(world, app, user.id);
  const shown = page ? { view: presentHome(page) } : {};
  const event = { type: 'app_home_opened', user: user.id, channel: channel.id, tab: 'home', ...shown };
  return [{ subscription: 'app_home_opened', event: { ...event, event_ts: world.nextTs() } }];
}

/**
 * Returns the event of a message in which a person or another app mentions the bot, in a channel that the bot is in. Direct
 * messages cause none (https://docs.slack.dev/reference/events/app_mention).
 */
function mentionEvents(world: World, app: Installation, channel: Channel, change: WorldChange): AppEvent[] {
  if (change.type !== 'message_posted' || channel.kind === 'im') return [];
  const { user, text } = change.message;
  if (user === app.bot_user_id || !text.includes(`<@${app.bot_user_id}>`)) return [];
  const message = presentMessage(world, channel, change.message);
  const event = { ...message, type: 'app_mention', channel: channel.id, event_ts: change.message.ts };
  return [{ subscription: 'app_mention', scope: 'app_mentions:read', channel, event }];
}

/**
 * Returns the events of conversations that the app's bot is in, and of its removal from one. That a public channel was archived or
 * unarchived is reported to apps outside of it, too (https://docs.slack.dev/reference/events/channel_archive).
 */
function conversationEvents(world: World, app: Installation, change: WorldChange): AppEvent[] {
  const isOwnLeaving = change.type === 'member_left' && change.user === app.bot_user_id;
  const channel = channelOfChange(world, change);
  const isOwnCopy = change.type === 'channel_unshared' && change.copy.members.has(app.bot_user_id);
  const isPublicNews =
    channel?.kind === 'public' &&
    ARCHIVING.has(change.type) &&
    workspacesOf(world, app.team_id).includes(channel.team_id);
  const isTold = isPublicNews || isOwnLeaving || isOwnCopy || channel?.members.has(app.bot_user_id);
  if (!channel || !isTold) return [];
  const made = channelEvent(world, app, channel, change);
  return [...(made ? [{ channel, ...made }] : []), ...mentionEvents(world, app, channel, change)];
}

const ARCHIVING: ReadonlySet<WorldChange['type']> = new Set(['channel_archived', 'channel_unarchived']);

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
  const scope = channelScope(channel.kind, 'read');
  const named = (type: string, fields: Record<string, unknown> = { channel: channel.id }) => ({
    subscription: type,
    scope,
    event: { type, ...fields, event_ts },
  });
  switch (change.type) {
    case 'message_posted':
    case 'message_changed':
    case 'message_deleted':
      return messageEvent(world, channel, change, event_ts);
    case 'reaction_added':
    case 'reaction_removed':
      return reactionEvent(change, event_ts);
    case 'member_joined':
    case 'member_left': {
      if (change.type === 'member_left' && change.user === app.bot_user_id)
        return named(channel.kind === 'private' ? 'group_left' : 'channel_left');
      const type = change.type === 'member_joined' ? 'member_joined_channel' : 'member_left_channel';
      const { team_id: team } = userOf(world, change.user);
      // "G" is for private channels from before March 2021.
      return named(type, { user: change.user, channel: channel.id, channel_type: 'C', team });
    }
    case 'channel_shared':
      return named(change.type, { connected_team_id: change.team, channel: channel.id });
    case 'channel_archived':
    case 'channel_unarchived': {
      const family = channel.kind === 'private' ? 'group' : 'channel';
      const happened = change.type === 'channel_archived' ? 'archive' : 'unarchive';
      return named(`${family}_${happened}`, { channel: channel.id });
    }
    case 'channel_moved':
      return named('channel_id_changed', { old_channel_id: change.from, new_channel_id: channel.id });
    case 'channel_unshared':
      return named(change.type, {
        previously_connected_team_id: change.team,
        channel: channel.id,
        is_ext_shared: isExternallyShared(world, channel),
      });
    default:
      return undefined;
  }
}

/**
 * Returns the event of https://docs.slack.dev/reference/events/reaction_added, which has neither the thread nor the text. What
 * that page leaves open:
 * - the newest example has `item.channel_type`, the text does not: it is left out;
 * - the emoji keeps the given name: an alias (`thumbsup`) is not resolved;
 * - the event comes only from channels that the bot is in. Some apps also got it from shared public channels
 *   (slackapi/bolt-js#2090): `slack.events.send` sends it.
 */
function reactionEvent(
  { type, message, user, reaction }: Extract<WorldChange, { reaction: string }>,
  event_ts: string,
): Omit<AppEvent, 'channel'> {
  const item = { type: 'message', channel: message.channel, ts: message.ts };
  return {
    subscription: type,
    scope: 'reactions:read',
    event: { type, user, reaction, item, item_user: message.user, event_ts },
  };
}

function messageEvent(
  world: World,
  channel: Channel,
  change: Extract<WorldChange, { type: `message_${string}` }>,
  event_ts: string,
): Omit<AppEvent, 'channel'> {
  const kind = { public: 'channel', private: 'group', im: 'im' }[channel.kind];
  const common = { type: 'message', channel: channel.id, channel_type: kind, event_ts };
  const message = presentMessage(world, channel, change.message);
  const delivery = {
    subscription: kind === 'im' ? 'message.im' : `message.${kind}s`,
    scope: channelScope(channel.kind, 'history'),
  };
  if (change.type === 'message_changed') {
    const previous_message = presentMessage(world, channel, change.previous);
    const changed = { subtype: 'message_changed', hidden: true, ts: event_ts, message, previous_message };
    return { ...delivery, event: { ...common, ...changed } };
  }
  if (change.type === 'message_deleted') {
    const deleted = { subtype: 'message_deleted', hidden: true, ts: event_ts, deleted_ts: change.message.ts };
    return { ...delivery, event: { ...common, ...deleted, previous_message: message } };
  }
  return { ...delivery, event: { ...message, ...common } };
}

/** The most members that Slack lists in an event; their count includes all. */
const MOST_USERS = 500;

/**
 * Returns the events of a changed user group: its current state and, if its members changed, the added and removed ones. A
 * group that is disabled leads to the same events.
 * @see https://docs.slack.dev/reference/events/subteam_updated
 * @see https://docs.slack.dev/reference/events/subteam_members_changed
 */
function userGroupEvents({
  group,
  added,
  removed,
}: Extract<WorldChange, { type: 'user_group_changed' }>): AppEvent[] {
  const scope = 'usergroups:read';
  const users = { users: group.users.slice(0, MOST_USERS), user_count: group.users.length };
  const updated = { type: 'subteam_updated', subteam: { ...presentUserGroup(group), ...users } };
  const events = [{ subscription: 'subteam_updated', scope, event: updated }];
  if (added.length + removed.length === 0) return events;
  const changed = {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: group.team_id,
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  };
  return [...events, { subscription: 'subteam_members_changed', scope, event: changed }];
}
