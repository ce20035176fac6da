/** The button with which an admin has a refused token checked at once. */
import type { types } from '@slack/bolt';
import { ACTIONS } from './ids.ts';
import { LIMITS, plain } from './text.ts';

export const tryTokenButton = (): types.ActionsBlock => ({
  type: 'actions',
  elements: [
    { type: 'button', action_id: ACTIONS.tryToken, text: plain('Try the token again', LIMITS.buttonText) },
  ],
});
