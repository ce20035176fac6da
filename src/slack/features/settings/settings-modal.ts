/**
 * Draws the form of the settings. Above it are lines whose buttons act at once, or open a form of their own: sending, the
 * approvals, the texts for customers.
 */
import type { types } from '@slack/bolt';
import { CUSTOMER_REPLIES, KIND_NAMES } from '../../../requests/model/kinds.ts';
import { limitOf } from '../../../requests/model/recent.ts';
import type { InForce, Settings } from '../../../requests/model/settings.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { context, escaped, mention, section, sectionWith, time } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/read-people.ts';
import { administratorsText } from '../../messages/sentences/problems.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import { policyText } from '../../messages/sentences/settings-texts.ts';
import { notOfferedReasonsText, reasonsNotOffered, USUAL_REASON_LINES } from '../customer-reply.ts';
import { USUAL_REASONS } from '../request/request-form.ts';
import { groupOption } from './choices.ts';
import { SETTINGS_FORM, SETTINGS_TITLE } from './settings-form.ts';

/** The block of the button "Try it". */
export const TRY_BLOCK = 'try_pattern';

/**
 * The user groups in the settings, by name. `admins`: only where the bot is installed in an organization; `isEditable`:
 * whether the person may change that group.
 */
type SettingsGroups = {
  requesters?: UserGroup | undefined;
  admins?: { group: UserGroup | undefined; isEditable: boolean };
};

export function settingsModal(
  { settings, version }: InForce,
  { requesters, admins }: SettingsGroups = {},
): types.ModalView {
  const { fields } = SETTINGS_FORM;
  const limit = limitOf(settings);
  const blocks: types.KnownBlock[] = [
    sendingSection(settings),
    section('*Approval, and texts for customers*'),
    ...policyRows(settings),
    ...customerTextsRow(settings),
    context(
      'Each of these opens a form of its own, and is saved there. “Save” below saves the settings that follow.',
    ),
    fields.requesters.block(requesters && groupOption(requesters)),
    ...(admins ? [adminGroup(admins)] : []),
    fields.requestsPerHour.block(limit === undefined ? '' : `${limit}`),
    fields.notificationsChannel.block(settings.notificationsChannel),
    fields.reasons.block((settings.reasons ?? USUAL_REASONS).join('\n')),
    fields.orderIdPattern.block(settings.orderIdPattern),
    fields.sample.block(),
    {
      type: 'actions',
      block_id: TRY_BLOCK,
      elements: [button(ACTIONS.tryPattern, 'Try it', { spoken: 'Try it: the pattern of order ids' })],
    },
    fields.orderAddress.block(settings.orderAddress),
    fields.offerAddress.block(settings.offerAddress),
    fields.ticketHosts.block(settings.ticketHosts?.join('\n')),
    fields.sharedChannels.block(settings.sharedChannels),
  ];
  return SETTINGS_FORM.view({ title: SETTINGS_TITLE, submit: 'Save', blocks }, { shown: version });
}

function adminGroup({ group, isEditable }: NonNullable<SettingsGroups['admins']>): types.KnownBlock {
  if (isEditable) return SETTINGS_FORM.fields.admins.block(group && groupOption(group));
  const them = administratorsText({ of: 'organization', group: group?.id });
  return context(`Admins here: ${them}. Only admins and owners of the organization can change this.`);
}

const PAUSE = button(ACTIONS.pauseSending, 'Pause sending', {
  style: 'danger',
  confirm: {
    title: 'Pause sending?',
    text: 'Until an admin resumes sending, nothing is sent, and nobody can make or decide requests. Requests that wait to be sent expire after 15 minutes. A request that is already being sent is not stopped.',
    yes: 'Pause sending',
    no: 'Keep sending',
  },
});

const RESUME = button(ACTIONS.resumeSending, 'Resume sending', {
  confirm: {
    title: 'Resume sending?',
    text: 'Requests that wait for nothing else are sent to the order service at once.',
    yes: 'Resume sending',
    no: 'Keep it paused',
  },
});

function sendingSection({ paused }: Settings): types.SectionBlock {
  const text = paused
    ? `*Sending is paused* (by ${mention(paused.by)}, since ${time(paused.at)}).`
    : '*Sending is on.*';
  return sectionWith(text, paused ? RESUME : PAUSE);
}

function policyRows({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) => {
    const { title } = KIND_COPY[kind];
    const change = { value: kind, spoken: `Change the approval for: ${title}` };
    return sectionWith(
      `*${title}*: ${policyText(policies?.[kind])}`,
      button(ACTIONS.changePolicy, 'Change', change),
    );
  });
}

function customerTextsRow(settings: Settings): types.KnownBlock[] {
  const isUsual = [...CUSTOMER_REPLIES, 'reasonsForCustomers' as const].every((name) => !settings[name]);
  const change = { spoken: 'Change the replies to customers' };
  const row = sectionWith(
    `*Replies to customers*: ${isUsual ? 'the usual texts' : 'texts of your own'}`,
    button(ACTIONS.customerTexts, 'Change', change),
  );
  // The reasons may have been renamed since. The usual lines don't count: the form shows them to an admin who adds others.
  const own = settings.reasonsForCustomers?.filter((line) => !USUAL_REASON_LINES.includes(line)) ?? [];
  const former = reasonsNotOffered(own, settings);
  if (former.length === 0) return [row];
  return [
    row,
    context(
      `:warning: ${escaped(notOfferedReasonsText(former))} Only requests made with such a reason before still use its words. If you have renamed a reason, change it in the replies to customers, too.`,
    ),
  ];
}
