import { type Block, statefulElements } from '../../slack/blocks/blocks.ts';
import type { StatefulElement } from '../../slack/blocks/elements.ts';
import { offeredUsers } from '../../slack/people/form/fields.ts';
import { offeredConversations } from '../../slack/views/state.ts';
import type { Channel, User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';

/** The options that Slack itself offers in selects of people and conversations, by `block_id/action_id`. */
export type Offers = Record<string, { value: string; label: string }[]>;

/** Returns the options that the selects in these blocks offer to one person. */
export function offersOf(world: World, user: User, blocks: readonly Block[]): Offers {
  const needed = statefulElements(blocks).flatMap(({ block, element }) => {
    const offered = offeredIn(world, user, element);
    return offered ? [[`${block.block_id}/${element.action_id}`, offered] as const] : [];
  });
  return Object.fromEntries(needed);
}

function offeredIn(world: World, user: User, element: StatefulElement): Offers[string] | undefined {
  switch (element.type) {
    case 'conversations_select':
      return offeredConversations(world, user, element).map((each) => channelOption(world, user, each));
    case 'users_select':
    case 'multi_users_select':
      return offeredUsers(world, user).map(({ id, real_name }) => ({ value: id, label: real_name }));
    default:
      return undefined;
  }
}

const channelOption = (world: World, user: User, channel: Channel) => ({
  value: channel.id,
  label: conversationName(world, user, channel),
});

/** `#support`, or the name of the other person in a direct message. */
export function conversationName(world: World, user: User, { kind, name, members }: Channel): string {
  if (kind !== 'im') return `#${name}`;
  const other = [...members].find((id) => id !== user.id) ?? user.id;
  return world.users.get(other)?.real_name ?? other;
}
