/** The inputs for user groups and channels in the forms of settings. */
import type { types } from '@slack/bolt';
import { HIGHEST_LIMIT, limitOf } from '../../../requests/model/recent-requests.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { ACTIONS, BLOCKS } from '../../blocks/ids.ts';
import { administratorsText } from '../../blocks/problems.ts';
import { context, LIMITS, plain } from '../../blocks/text.ts';
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

/**
 * The user group that administers the workspace, where the bot is installed in its organization.
 *
 * @param isEditable whether the person may change the group
 */
export function adminGroupInput(group: UserGroup | undefined, isEditable: boolean): types.KnownBlock {
  if (!isEditable) {
    const them = administratorsText({ of: 'organization', group: group?.id });
    return context(`Admins here: ${them}. Only admins and owners of the organization can change this.`);
  }
  return {
    type: 'input',
    block_id: BLOCKS.admins,
    optional: true,
    label: plain('Admins besides those of the organization'),
    hint: plain(
      'Members of this user group can do everything that admins can, except change this. Choose one that only admins can edit.',
    ),
    element: {
      type: 'external_select',
      action_id: ACTIONS.admins,
      min_query_length: 0,
      placeholder: plain('Nobody, or a user group'),
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

/** How many requests one person may make within an hour. */
export function requestsPerHour(settings: Settings): types.InputBlock {
  const limit = limitOf(settings);
  return {
    type: 'input',
    block_id: BLOCKS.requestsPerHour,
    optional: true,
    label: plain('Requests that one person may make within an hour'),
    hint: plain(
      `From 1 to ${HIGHEST_LIMIT.toLocaleString('en')}, of all kinds together. Leave this empty for no limit. Admins are told when somebody meets it.`,
    ),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.requestsPerHour,
      max_length: 6,
      ...(limit === undefined ? {} : { initial_value: `${limit}` }),
    },
  };
}
