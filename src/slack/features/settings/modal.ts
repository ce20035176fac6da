/** The settings that an admin can change. */

import type { types } from '@slack/bolt';
import { z } from 'zod';
import { HIGHEST_LIMIT, USUAL_LIMIT } from '../../../requests/model/recent-requests.ts';
import type { InForce } from '../../../requests/ports/ports.ts';
import { PATTERN_MAX } from '../../../requests/use-cases/id-pattern.ts';
import type { Shown } from '../../../workspaces/settings.ts';
import type { GeneralSettings, SettingName } from '../../../workspaces/settings-record.ts';
import { ACTIONS, BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { sendingSection } from '../../blocks/pause.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/user-groups.ts';
import { USUAL_REASONS } from '../request/modal.ts';
import { adminGroupInput, notificationsSelect, requesterGroupSelect, requestsPerHour } from './inputs.ts';
import { policyLines } from './policy-lines.ts';

export const SETTINGS_TITLE = 'Settings';

/** Slack shows 100 options; nobody reads that many. */
const MOST_REASONS = 20;

/**
 * The user groups in the settings, by name. `admins`: only where the bot is installed in an organization; `isEditable`:
 * whether the person may change that group.
 */
export type SettingsGroups = {
  requesters?: UserGroup | undefined;
  admins?: { group: UserGroup | undefined; isEditable: boolean };
};

/** @param inForce what the form shows */
export function settingsModal(
  { settings, version }: InForce,
  { requesters, admins }: SettingsGroups = {},
): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.settings,
    private_metadata: JSON.stringify({ shown: version } satisfies Metadata),
    title: plain(SETTINGS_TITLE, LIMITS.modalTitle),
    submit: plain('Save', LIMITS.modalButton),
    close: CLOSE,
    blocks: [
      sendingSection(settings),
      requesterGroupSelect(requesters),
      ...(admins ? [adminGroupInput(admins.group, admins.isEditable)] : []),
      requestsPerHour(settings),
      notificationsSelect(settings.notificationsChannel),
      reasons(settings.reasons ?? USUAL_REASONS),
      orderIdPattern(settings.orderIdPattern),
      sharedChannels(settings.sharedChannels),
      section('*Approval before anything is sent to the order service*'),
      ...policyLines(settings),
    ],
  };
}

function reasons(current: readonly string[]): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reasons,
    optional: true,
    label: plain('Reasons to choose from'),
    hint: plain('One per line. Agents can always write their own. Leave this empty to offer the usual ones.'),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.reasons,
      multiline: true,
      initial_value: current.join('\n'),
    },
  };
}

function orderIdPattern(current: string | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.orderIdPattern,
    optional: true,
    label: plain('What an order id looks like'),
    hint: plain(
      '# is a digit, @ a letter, * anything: A-#### matches A-1001. Leave this empty to accept any id.',
    ),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.orderIdPattern,
      max_length: PATTERN_MAX,
      ...(current ? { initial_value: current } : {}),
    },
  };
}

const SHARED_CHANNELS: types.PlainTextOption = {
  value: 'allowed',
  text: plain('Requests may be posted there', LIMITS.optionText),
  description: plain(
    'The other company sees the request and its outcome, but no reasons.',
    LIMITS.optionText,
  ),
};

function sharedChannels(current: boolean | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.sharedChannels,
    optional: true,
    label: plain('Channels that are shared with another company'),
    hint: plain('Even there, only members of this workspace can request, approve and decide.'),
    element: {
      type: 'checkboxes',
      action_id: BLOCKS.sharedChannels,
      options: [SHARED_CHANNELS],
      ...(current ? { initial_options: [SHARED_CHANNELS] } : {}),
    },
  };
}

const Text = z.object({ value: z.string().nullish() });

const Group = z.object({ selected_option: z.object({ value: z.string() }).nullish() });

const State = z.object({
  [BLOCKS.requesters]: z.object({ [ACTIONS.requesters]: Group }),
  /** Only where the person may change it. */
  [BLOCKS.admins]: z.object({ [ACTIONS.admins]: Group }).optional(),
  [BLOCKS.notifications]: z.object({
    [BLOCKS.notifications]: z.object({ selected_conversation: z.string().nullish() }),
  }),
  [BLOCKS.requestsPerHour]: z.object({ [BLOCKS.requestsPerHour]: Text }),
  [BLOCKS.reasons]: z.object({ [BLOCKS.reasons]: Text }),
  [BLOCKS.orderIdPattern]: z.object({ [BLOCKS.orderIdPattern]: Text }),
  [BLOCKS.sharedChannels]: z.object({
    [BLOCKS.sharedChannels]: z.object({ selected_options: z.array(z.unknown()).nullish() }),
  }),
});

/** The version of the settings that the modal shows. */
const Metadata = z.object({ shown: z.number().optional() });
type Metadata = { shown: Shown };

/** Reads the version of the settings that the modal shows. @throws if the view is not this modal: a fault */
export const readShown = (metadata: string): Shown => Metadata.parse(JSON.parse(metadata)).shown;

/** Reads the input, and the version that was shown. @throws if the view is not this modal: a fault */
export function readSettingsModal({ state, private_metadata }: FilledIn): {
  settings: GeneralSettings;
  shown: Shown;
} {
  return { settings: readState(state.values), shown: readShown(private_metadata) };
}

type FilledIn = { state: { values: unknown }; private_metadata: string };

function readState(values: unknown): GeneralSettings {
  const state = State.parse(values);
  const lines = (state.reasons.reasons.value ?? '').split('\n').map((line) => line.trim());
  const written = [...new Set(lines.filter(Boolean))];
  const usual = written.join('\n') === USUAL_REASONS.join('\n');
  return {
    requesters: state.requesters.requesters.selected_option?.value,
    ...(state.admins ? { admins: state.admins.admins.selected_option?.value } : {}),
    notificationsChannel: state.notifications.notifications.selected_conversation ?? undefined,
    reasons: written.length === 0 || usual ? undefined : written,
    orderIdPattern: state.order_id_pattern.order_id_pattern.value?.trim() || undefined,
    sharedChannels: state.shared_channels.shared_channels.selected_options?.length ? true : undefined,
    requestsPerHour: readLimit(state.requests_per_hour.requests_per_hour.value ?? ''),
  };
}

/** What was typed as the limit: NaN if it is no whole number, so that it is refused. */
function readLimit(typed: string): GeneralSettings['requestsPerHour'] {
  const text = typed.replaceAll(/[\s,]/g, '');
  if (text === '') return 'unlimited';
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return limit === USUAL_LIMIT ? undefined : limit;
}

const BLOCK_OF: Record<SettingName, string> = {
  requesters: BLOCKS.requesters,
  admins: BLOCKS.admins,
  notificationsChannel: BLOCKS.notifications,
  reasons: BLOCKS.reasons,
  orderIdPattern: BLOCKS.orderIdPattern,
  sharedChannels: BLOCKS.sharedChannels,
  requestsPerHour: BLOCKS.requestsPerHour,
};

const CONFLICT =
  'Another admin changed the settings after you opened them, so nothing was saved. Close them and open them again.';

/** @param names the settings that this form would have changed */
export const conflictErrors = (names: readonly SettingName[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [BLOCK_OF[name], CONFLICT]));

/** The problems with the settings, each at its field. */
export function settingsErrors({
  reasons: given = [],
  orderIdPattern: pattern = '',
  requestsPerHour: limit = USUAL_LIMIT,
}: GeneralSettings): Record<string, string> {
  const long = given.find((reason) => reason.length > LIMITS.optionText);
  const errors: Record<string, string> = {};
  if (given.length > MOST_REASONS) errors[BLOCKS.reasons] = `At most ${MOST_REASONS} reasons can be offered.`;
  if (long)
    errors[BLOCKS.reasons] = `A reason has at most ${LIMITS.optionText} characters, and “${long}” has more.`;
  if (limit !== 'unlimited' && !(limit >= 1 && limit <= HIGHEST_LIMIT)) {
    errors[BLOCKS.requestsPerHour] =
      `Write a whole number from 1 to ${HIGHEST_LIMIT.toLocaleString('en')}, or leave this empty for no limit.`;
  }
  if (pattern !== '' && !/[#@*]/.test(pattern)) {
    errors[BLOCKS.orderIdPattern] =
      'Only one id matches this. Write # for a digit, @ for a letter, * for anything.';
  }
  return errors;
}
