/** The modal in which a person records what became of a request. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { MANUAL_ACTIONS, type ManualAction } from '../../../requests/model/states.ts';
import { BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { targetOf } from '../../blocks/kind-copy.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { refOf } from '../../blocks/ref.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import { type RecordableAction, recordableActions } from '../../messages/content/buttons.ts';

export const OUTCOME_TITLE = 'Record the outcome';

/** Each at most 75 characters, and so its description (Slack). */
const OPTIONS: Record<RecordableAction, [text: string, description: string]> = {
  approved: ['Cancelled', 'The review approved the request.'],
  denied: ['Not cancelled', 'The review denied the request, and the order goes on.'],
  sent: ['Sent', 'The customer has the offer.'],
  canceled: ['Cancelled', 'The order service shows it as cancelled.'],
  not_received: ['Not received: send the request again', 'The order service does not know this request.'],
  release: ['Close the request without an outcome', 'This request ends, and a new one can be made.'],
};

export function outcomeModal(record: RequestRecord): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.recordOutcome,
    private_metadata: refOf(record),
    title: plain(OUTCOME_TITLE, LIMITS.modalTitle),
    submit: plain('Record outcome', LIMITS.modalButton),
    close: CLOSE,
    blocks: [
      section(
        `What does the order service say about ${targetOf(record)}? The card will say that you recorded it.`,
      ),
      {
        type: 'input',
        block_id: BLOCKS.outcome,
        label: plain('Outcome'),
        element: {
          type: 'radio_buttons',
          action_id: BLOCKS.outcome,
          options: recordableActions(record).map(option),
        },
      },
    ],
  };
}

function option(action: RecordableAction): types.PlainTextOption {
  const [text, description] = OPTIONS[action];
  return {
    value: action,
    text: plain(text, LIMITS.optionText),
    description: plain(description, LIMITS.optionText),
  };
}

const State = z.object({
  [BLOCKS.outcome]: z.object({
    [BLOCKS.outcome]: z.object({ selected_option: z.object({ value: z.enum(MANUAL_ACTIONS) }) }),
  }),
});

/** Reads the choice. @throws if the state is not that of this modal: a fault */
export function readOutcomeModal(values: unknown): ManualAction {
  return State.parse(values).outcome.outcome.selected_option.value;
}
