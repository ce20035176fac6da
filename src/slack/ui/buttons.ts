/** The buttons of a card: only those that still work. Pure. */
import type { types } from '@slack/bolt';
import { possibleActs } from '../../requests/intervene.ts';
import type { RequestRecord } from '../../requests/record.ts';
import { ACTIONS } from '../ids.ts';
import { LIMITS } from './limits.ts';
import { plain } from './text.ts';
import { deedOf } from './words.ts';

export function buttons(record: RequestRecord): types.ActionsBlock[] {
  const acts = possibleActs(record);
  if (acts.length === 0) return [];
  const button = acts.includes('retry') ? retry(record) : recordOutcome(record);
  return [{ type: 'actions', elements: [button] }];
}

/** It is sent again, so it has to be confirmed. */
function retry(record: RequestRecord): types.Button {
  return {
    type: 'button',
    action_id: ACTIONS.retry,
    text: plain('Retry', LIMITS.buttonText),
    value: record.id,
    confirm: {
      title: plain(`${deedOf(record)}?`, LIMITS.confirmTitle),
      text: plain('The request is sent to the order service again.', LIMITS.confirmText),
      confirm: plain('Send again', LIMITS.confirmButton),
      deny: plain('Not now', LIMITS.confirmButton),
    },
  };
}

function recordOutcome(record: RequestRecord): types.Button {
  const text = plain('Record the outcome', LIMITS.buttonText);
  return { type: 'button', action_id: ACTIONS.recordOutcome, text, value: record.id };
}
