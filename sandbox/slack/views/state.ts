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

/** The fields of the initial value in an element and in its state, and the value without an initial one. */
export const VALUE_FIELDS = {
  plain_text_input: ['initial_value', 'value', null],
  static_select: ['initial_option', 'selected_option', null],
  external_select: ['initial_option', 'selected_option', null],
  radio_buttons: ['initial_option', 'selected_option', null],
  checkboxes: ['initial_options', 'selected_options', []],
  conversations_select: ['initial_conversation', 'selected_conversation', null],
  users_select: ['initial_user', 'selected_user', null],
  datepicker: ['initial_date', 'selected_date', null],
  multi_users_select: ['initial_users', 'selected_users', []],
} as const satisfies Record<StatefulElement['type'], readonly [string, keyof StateValue, null | []]>;

function initialValue(element: StatefulElement, context: StateContext): StateValue {
  const { type } = element;
  const [given, field, none] = VALUE_FIELDS[type];
  // According to @slack/types, the initial conversation takes precedence.
  const current = type === 'conversations_select' ? currentConversation(element, context) : undefined;
  return { type, [field]: (element as Record<string, unknown>)[given] ?? current ?? none };
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
