/** The lines of the settings whose buttons act at once, or open a form: sending, the approvals, the texts for customers. */
import type { types } from '@slack/bolt';
import { CUSTOMER_REPLIES, KIND_NAMES } from '../../../requests/model/kinds.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { mention, sectionWith, time } from '../../blocks/text.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import { policyText } from '../../messages/sentences/settings-texts.ts';

const PAUSE = button(ACTIONS.pauseSending, 'Pause sending', {
  style: 'danger',
  confirm: {
    title: 'Pause sending?',
    text: 'Nothing more is sent to the order service until an admin resumes it. What is on its way is finished.',
    yes: 'Pause sending',
    no: 'Keep sending',
  },
});

const RESUME = button(ACTIONS.resumeSending, 'Resume sending', {
  confirm: {
    title: 'Resume sending?',
    text: 'Requests that wait are sent to the order service at once.',
    yes: 'Resume sending',
    no: 'Keep it paused',
  },
});

export function sendingSection({ paused }: Settings): types.SectionBlock {
  const text = paused
    ? `*Sending is paused* (by ${mention(paused.by)}, since ${time(paused.at)}).`
    : '*Sending is on.* Requests are sent to the order service.';
  return sectionWith(text, paused ? RESUME : PAUSE);
}

/** The approvals in force, each with the button that changes it. */
export function policyRows({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) => {
    const { title } = KIND_COPY[kind];
    const change = { value: kind, spoken: `Change the approval for: ${title}` };
    return sectionWith(
      `*${title}*: ${policyText(policies?.[kind])}`,
      button(ACTIONS.changePolicy, 'Change', change),
    );
  });
}

export function customerTextsRow(settings: Settings): types.SectionBlock {
  const isUsual = [...CUSTOMER_REPLIES, 'reasonsForCustomers' as const].every((name) => !settings[name]);
  const change = { spoken: 'Change the replies to customers' };
  return sectionWith(
    `*Replies to customers*: ${isUsual ? 'the usual texts' : 'texts of your own'}`,
    button(ACTIONS.customerTexts, 'Change', change),
  );
}
