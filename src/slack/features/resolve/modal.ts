/** The modal in which a person records what became of a request. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { isRecorded } from '../../../requests/model/facts/correction.ts';
import type { Pause } from '../../../requests/model/pause.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { MANUAL_ACTIONS, type ManualAction } from '../../../requests/model/states.ts';
import type { RecordableAction } from '../../../requests/use-cases/possible-actions.ts';
import { BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { targetOf } from '../../blocks/kind-copy.ts';
import { whoPaused } from '../../blocks/pause.ts';
import { type Ref, readWithMoment, refOf, withMoment } from '../../blocks/ref.ts';
import { context, LIMITS, plain, section } from '../../blocks/text.ts';

export const OUTCOME_TITLE = 'Record the outcome';

/** Each at most 75 characters, and so its description (Slack). No review is named, because there may be none. */
const OPTIONS: Record<RecordableAction, [text: string, description: string]> = {
  approved: ['Cancelled', 'The order service shows the order as cancelled.'],
  denied: ['Not cancelled', 'The order service refused to cancel it, and the order goes on.'],
  in_review: ['In review', 'The order service is reviewing the request and has not decided.'],
  sent: ['Sent', 'The customer has the offer.'],
  canceled: ['Cancelled', 'The order service shows it as cancelled.'],
  not_received: ['Not received: send the request again', 'The order service does not know this request.'],
  never_received: ['Not received', 'The order service does not know this request. Nothing is sent now.'],
  release: ['Close the request without an outcome', 'This request ends, and a new one can be made.'],
};

/** `moment`: of the click that opens the form, microseconds by Slack's clock. */
type Opened = { moment: number | undefined; paused?: Pause | undefined };

const RECORDS = {
  title: 'Record the outcome?',
  submit: 'Record outcome',
  close: 'Record nothing',
  what: 'The card will say that you recorded it.',
};

const CORRECTS = {
  title: 'Correct the outcome?',
  submit: 'Correct outcome',
  close: 'Keep the outcome',
  what: 'The card will say that you recorded it. It corrects what was recorded before, and sends nothing.',
};

/** @param actions what this person may record */
export function outcomeModal(
  record: RequestRecord,
  actions: readonly RecordableAction[],
  { moment, paused }: Opened,
): types.ModalView {
  const corrects = isRecorded(currentStep(record));
  const { title, submit, close, what } = corrects ? CORRECTS : RECORDS;
  return {
    type: 'modal',
    callback_id: CALLBACKS.recordOutcome,
    private_metadata: withMoment(refOf(record), moment),
    title: plain(title, LIMITS.modalTitle),
    submit: plain(submit, LIMITS.modalButton),
    close: plain(close, LIMITS.modalButton),
    blocks: [
      section(`What does the order service say about ${targetOf(record)}? ${what}`),
      {
        type: 'input',
        block_id: BLOCKS.outcome,
        label: plain('Outcome'),
        element: {
          type: 'radio_buttons',
          action_id: BLOCKS.outcome,
          options: actions.map(option),
        },
      },
      ...(paused && actions.includes('not_received')
        ? [context(`${whoPaused(paused)}, so nothing can be sent again until an admin resumes it.`)]
        : []),
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

/** Reads the choice, and what it is about. @throws if the state is not that of this modal: a fault */
export function readOutcomeModal(view: { private_metadata: string; state: { values: unknown } }): {
  ref: Ref;
  moment: number | undefined;
  action: ManualAction;
} {
  const action = State.parse(view.state.values).outcome.outcome.selected_option.value;
  return { ...readWithMoment(view.private_metadata), action };
}
