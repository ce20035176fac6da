/** The section of the settings that pauses and resumes sending, and the outcome of its buttons. */
import type { types } from '@slack/bolt';
import type { Settings } from '../../../requests/ports/ports.ts';
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { mention, sectionWith, time } from '../../blocks/text.ts';

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

export type PauseOrResume = 'pauseSending' | 'resumeSending';

export function pauseText(
  change: PauseOrResume,
  { pause, isNew }: Pick<PauseResult, 'pause' | 'isNew'>,
): string {
  if (change === 'resumeSending') {
    return pause
      ? 'Sending is resumed. Requests that still wait are sent now.'
      : 'Sending was not paused, so nothing was changed.';
  }
  if (!pause) return 'An admin has resumed sending since you pressed this, so nothing was changed.';
  if (!isNew) return `Sending was paused already: ${whoPaused(pause)}.`;
  return 'Sending is paused. Nothing more is sent to the order service until an admin resumes it. What was on its way is finished.';
}
