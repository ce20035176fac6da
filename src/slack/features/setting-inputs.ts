/** The inputs of settings that stand in more than one form. Pure. */
import type { types } from '@slack/bolt';
import { ACTIONS, BLOCKS } from '../blocks/ids.ts';
import { LIMITS } from '../blocks/limits.ts';
import { plain } from '../blocks/text.ts';
import type { UserGroup } from '../directory/user-groups.ts';

/** Who may ask. Slack asks the bot for the groups to choose from (listeners/options/askers.ts). */
export function askersSelect(group: UserGroup | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.askers,
    optional: true,
    label: plain('Who may ask'),
    hint: plain('Leave it empty to let all full members ask. Guests never may.'),
    element: {
      type: 'external_select',
      action_id: ACTIONS.askers,
      min_query_length: 0,
      placeholder: plain('All full members, or a user group'),
      ...(group ? { initial_option: groupOption(group) } : {}),
    },
  };
}

/** A group as Slack lists it. */
export function groupOption({ id, name }: UserGroup): types.PlainTextOption {
  return { value: id, text: plain(name, LIMITS.optionText) };
}

/** Where it is told what nobody asked for. */
export function notificationsSelect(channel: string | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.notifications,
    optional: true,
    label: plain('Notifications channel'),
    hint: plain('For what the order service announces and nobody asked for here.'),
    element: {
      type: 'conversations_select',
      action_id: BLOCKS.notifications,
      filter: {
        include: ['public', 'private'],
        exclude_external_shared_channels: true,
        exclude_bot_users: true,
      },
      ...(channel ? { initial_conversation: channel } : {}),
    },
  };
}
