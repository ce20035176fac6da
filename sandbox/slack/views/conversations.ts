import type { StatefulElement } from '../blocks/elements.ts';
import { isChannelVisible } from '../world/channels.ts';
import type { Channel, User } from '../world/types.ts';
import type { World } from '../world/world.ts';

type ConversationsElement = Extract<StatefulElement, { type: 'conversations_select' }>;

/** Returns the conversations that a select offers to a person: those that they see and its filter admits. */
export function offeredConversations(world: World, user: User, element: ConversationsElement): Channel[] {
  return [...world.channels.values()].filter(
    (channel) =>
      !channel.is_archived &&
      isChannelVisible(channel, user) &&
      passesFilter(world, channel, user, element.filter ?? {}),
  );
}

function passesFilter(
  world: World,
  channel: Channel,
  user: User,
  filter: NonNullable<ConversationsElement['filter']>,
): boolean {
  if (filter.include && !filter.include.includes(channel.kind)) return false;
  if (filter.exclude_external_shared_channels && channel.connected_team_ids.length > 0) return false;
  return !(filter.exclude_bot_users && isWithBot(world, channel, user));
}

const isWithBot = (world: World, { kind, members }: Channel, user: User) =>
  kind === 'im' && [...members].some((id) => id !== user.id && world.users.get(id)?.is_bot === true);
