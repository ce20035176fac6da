/** The form in which a person records what became of a request. */
import type { types } from '@slack/bolt';
import type { Pause } from '../../../requests/model/pause.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { isRecorded } from '../../../requests/model/summary.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import type { RecordableAction } from '../../../requests/use-cases/possible-actions.ts';
import { radios } from '../../blocks/fields.ts';
import { CLICKED, form, refTo } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { capital, KIND_COPY, type KindCopy, targetOf } from '../../blocks/kind-copy.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { context, section } from '../../blocks/text.ts';

export const OUTCOME_TITLE = 'Record the outcome';

/** Each at most 75 characters, and so its description (Slack). No review is named, because there may be none. */
const optionsFor = ({
  noun,
  participle,
}: KindCopy): Record<RecordableAction, readonly [text: string, description: string]> => ({
  approved: [capital(participle), `The order service shows the ${noun} as ${participle}.`],
  denied: [`Not ${participle}`, `The order service decided against it, and the ${noun} goes on.`],
  in_review: ['In review', 'The order service is reviewing the request and has not decided.'],
  sent: ['Sent', 'The customer has the offer.'],
  canceled: [capital(participle), `The order service shows it as ${participle}.`],
  not_received: ['Not received: send the request again', 'The order service does not know this request.'],
  never_received: ['Not received', 'The order service does not know this request. Nothing is sent now.'],
  release: ['Close the request without an outcome', 'This request ends, and a new one can be made.'],
});

/** @param options what this person may record: a submission names one of all, and its rights are checked again */
export const outcomeForm = (
  options: Partial<ReturnType<typeof optionsFor>> = optionsFor(KIND_COPY.cancel_order),
) => form(CALLBACKS.recordOutcome, { action: radios('outcome', { label: 'Outcome', options }) }, CLICKED);

/** `moment`: of the click that opens the form, microseconds by Slack's clock. */
type Opened = { moment: number | undefined; paused?: Pause | undefined; addresses?: Addresses };

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
  { moment, paused, addresses }: Opened,
): types.ModalView {
  const corrects = isRecorded(currentStep(record));
  const { what, ...buttons } = corrects ? CORRECTS : RECORDS;
  const options = optionsFor(KIND_COPY[record.kind]);
  const { view, fields } = outcomeForm(
    Object.fromEntries(actions.map((action) => [action, options[action]])) as Partial<typeof options>,
  );
  const blocks = [
    section(`What does the order service say about ${targetOf(record, addresses)}? ${what}`),
    fields.action.block(),
    ...(paused && actions.includes('not_received')
      ? [context(`${whoPaused(paused)}, so nothing can be sent again until an admin resumes it.`)]
      : []),
  ];
  return view({ ...buttons, blocks }, { ref: refTo(record), moment });
}
