/** The inputs for user groups and channels in the forms of settings. */
import type { types } from '@slack/bolt';
import { ACTIONS, BLOCKS } from '../../blocks/ids.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/user-groups.ts';

/** The requesters. Slack asks the bot for the groups to choose from (options.ts). */
export function requesterGroupSelect(group: UserGroup | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.requesters,
    optional: true,
    label: plain('Who may request'),
    hint: plain('Leave this empty to allow all full members. Guests never may.'),
    element: {
      type: 'external_select',
      action_id: ACTIONS.requesters,
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

/** The channel for events that match no request. */
export function notificationsSelect(channel: string | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.notifications,
    optional: true,
    label: plain('Notifications channel'),
    hint: plain('For events of the order service that match no request in this workspace.'),
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
