/** The values of a view's or message's elements, and the conversations that a select offers. */
import { type Block, statefulElements } from '../blocks/blocks.ts';
import type { StatefulElement } from '../blocks/elements.ts';
import { isChannelVisible } from '../world/channels.ts';
import type { Channel, StateValue, StateValues, User } from '../world/types.ts';
import { isExternallyShared, userOf } from '../world/users.ts';
import type { World } from '../world/world.ts';

/** The person and channel of a new view, for `default_to_current_conversation`. */
type StateContext = {
  world: World;
  user: string;
  channel?: string | undefined;
};

/** Returns the initial values of the blocks. Entered values stay for the same block_id and action_id. */
export function startingValues(
  blocks: readonly Block[],
  context: StateContext,
  before: StateValues = {},
): StateValues {
  const values: StateValues = {};
  for (const { block, element } of statefulElements(blocks)) {
    const kept = before[block.block_id]?.[element.action_id];
    const value = kept?.type === element.type ? kept : initialValue(element, context);
    values[block.block_id] = { ...values[block.block_id], [element.action_id]: value };
  }
  return values;
}

function initialValue(element: StatefulElement, context: StateContext): StateValue {
  const { type } = element;
  switch (type) {
    case 'plain_text_input':
      return { type, value: element.initial_value ?? null };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null };
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] };
    case 'conversations_select':
      return {
        type,
        // According to @slack/types, the initial conversation takes precedence.
        selected_conversation: element.initial_conversation ?? currentConversation(element, context) ?? null,
      };
    case 'users_select':
      return { type, selected_user: element.initial_user ?? null };
    case 'datepicker':
      return { type, selected_date: element.initial_date ?? null };
    case 'multi_users_select':
      return { type, selected_users: element.initial_users ?? [] };
  }
}

function currentConversation(
  element: ConversationsElement,
  { world, user, channel }: StateContext,
): string | undefined {
  if (!element.default_to_current_conversation) return undefined;
  const offered = offeredConversations(world, userOf(world, user), element);
  return offered.find(({ id }) => id === channel)?.id;
}

type ConversationsElement = Extract<StatefulElement, { type: 'conversations_select' }>;

/** Returns the conversations that a select offers to a person: those that they see and its filter admits. */
export function offeredConversations(
  world: World,
  user: User,
  { filter = {} }: ConversationsElement,
): Channel[] {
  const isBot = (id: string) => id !== user.id && world.users.get(id)?.is_bot === true;
  return [...world.channels.values()].filter(
    (channel) =>
      !channel.is_archived &&
      isChannelVisible(channel, user) &&
      (filter.include?.includes(channel.kind) ?? true) &&
      !(filter.exclude_external_shared_channels && isExternallyShared(world, channel)) &&
      !(filter.exclude_bot_users && channel.kind === 'im' && [...channel.members].some(isBot)),
  );
}
