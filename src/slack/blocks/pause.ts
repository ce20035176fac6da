/** The words for a pause of sending, which an admin has set, and the button that sets or ends it. */
import type { types } from '@slack/bolt';
import type { Pause } from '../../requests/model/pause.ts';
import type { Settings } from '../../requests/ports/ports.ts';
import { button } from './forms.ts';
import { ACTIONS } from './ids.ts';
import { mention, sectionWith, time } from './text.ts';

/** The beginning of a sentence or its end, without a full stop. */
export const whoPaused = ({ by, at }: Pause): string => `${mention(by)} paused sending ${time(at)}`;

/** The end of a sentence: until when something is not possible. */
export const ONCE_RESUMED = 'once an admin has resumed sending';

/** Says in the settings whether sending is paused. */
export function sendingSection({ paused }: Settings): types.SectionBlock {
  const text = paused
    ? `*Sending is paused* (by ${mention(paused.by)}, since ${time(paused.at)}).`
    : '*Sending is on.* Requests are sent to the order service.';
  return sectionWith(text, paused ? RESUME : PAUSE);
}

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
