/** The form that records or corrects an outcome: which outcomes a person may record, and how they read. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { Settings } from '../../requests/model/settings.ts';
import { isRecordedOutcome } from '../../requests/model/summary.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { type RecordableAction, recordableActions } from '../../requests/use-cases/possible-actions.ts';
import { type Actor, mayDo, rolesFor } from '../../requests/use-cases/who-may.ts';
import { radios } from '../blocks/fields.ts';
import { CLICKED, form, refTo, textModal } from '../blocks/forms.ts';
import { CALLBACKS } from '../blocks/ids.ts';
import { context, section } from '../blocks/text.ts';
import { linkedResultText } from '../listeners/answers.ts';
import type { ListenerDeps } from '../listeners/listener.ts';
import type { ModalAboutRequest } from '../listeners/modals.ts';
import { recordOutcomeText } from '../messages/content/buttons.ts';
import { whoPaused } from '../messages/sentences/problems.ts';
import { capital, KIND_COPY, type KindCopy, targetOf } from '../messages/sentences/request-words.ts';
import { manualResultText, nothingToRecordText, notTheirsText } from '../messages/sentences/result-texts.ts';

export const RECORD_OUTCOME: ModalAboutRequest = {
  title: 'Record the outcome',
  async fill(deps, { who, moment }) {
    const found = await deps.findWithRoles(who);
    if (found.type !== 'found') return { refused: manualResultText(found) };
    const { record } = found;
    const outcomes = await outcomesFor(deps, found, who.by);
    if ('refused' in outcomes) return textModal(recordOutcomeText(record), outcomes.refused);
    return outcomeModal(record, outcomes, moment, await deps.settings(record.workspace));
  },
};

/**
 * The outcomes that a person may record, or why there are none.
 *
 * @throws if Slack can't say whether they may, and they may record no outcome without that
 */
async function outcomesFor(
  { newerCalled, links }: ListenerDeps,
  actor: Actor,
  reader: string,
): Promise<readonly RecordableAction[] | { refused: string }> {
  const { record } = actor;
  const possible = recordableActions(record);
  const [first] = possible;
  if (!first) return { refused: nothingToRecordText(record) };
  // A person who may record something by a role that is certain does not need a role of which Slack can't say.
  const certain = possible.filter((action) => mayDo({ ...actor, unsaid: new Map() }, action));
  const theirs = certain.length > 0 ? certain : possible.filter((action) => mayDo(actor, action));
  if (theirs.length === 0) return { refused: notTheirsText(record, first, rolesFor(record, first)) };
  const by = theirs.includes('never_received') ? await newerCalled(record) : undefined;
  if (!by) return theirs;
  const others = theirs.filter((action) => action !== 'never_received');
  if (others.length > 0) return others;
  return { refused: await linkedResultText({ type: 'newer_request', record, by }, links, reader) };
}

/**
 * The outcomes, each with a description: both have at most 75 characters
 * (https://docs.slack.dev/reference/block-kit/composition-objects/option-object). Only "In review" names a review, because the
 * order service may have decided without one. A request that was reopened beside another one does not hold its slot, which stays
 * taken once it is closed.
 */
const optionsFor = (
  { noun, participle }: KindCopy,
  holdsSlot: boolean,
): Record<RecordableAction, readonly [text: string, description: string]> => ({
  approved: [capital(participle), `The order service shows the ${noun} as ${participle}.`],
  denied: [`Not ${participle}`, `The order service decided against it, and the ${noun} stands.`],
  in_review: ['In review', 'The order service is reviewing the request and has not decided.'],
  sent: ['Sent', 'The customer has the offer.'],
  canceled: [capital(participle), `The order service shows it as ${participle}.`],
  not_received: [
    'Not received: send the request again',
    'Only if it never arrived: otherwise the order service gets it twice.',
  ],
  never_received: ['Not received', 'The order service does not know this request. Nothing is sent now.'],
  release: [
    'Close the request without an outcome',
    `This request ends, and ${holdsSlot ? 'a new one can be made' : 'nothing is sent'}.`,
  ],
});

/**
 * Declares the form.
 *
 * @param options the outcomes that this person may record; left out, to read the form: all, because the rights are checked again
 */
export const outcomeForm = (
  options: Partial<ReturnType<typeof optionsFor>> = optionsFor(KIND_COPY.cancel_order, true),
) => form(CALLBACKS.recordOutcome, { action: radios('outcome', { label: 'Outcome', options }) }, CLICKED);

const RECORDS = {
  submit: 'Record outcome',
  close: 'Record nothing',
  what: 'Your name is shown with your choice.',
};

const CORRECTS = {
  submit: 'Correct outcome',
  close: 'Keep the outcome',
  what: 'Your name is shown with your choice. This replaces the recorded outcome; nothing is sent.',
};

export function outcomeModal(
  record: RequestRecord,
  actions: readonly RecordableAction[],
  moment?: number,
  { paused, ...addresses }: Addresses & Pick<Settings, 'paused'> = {},
): types.ModalView {
  const { what, ...buttons } = isRecordedOutcome(currentStep(record)) ? CORRECTS : RECORDS;
  const options = optionsFor(KIND_COPY[record.kind], record.holdsSlot);
  const { view, fields } = outcomeForm(
    Object.fromEntries(actions.map((action) => [action, options[action]])) as Partial<typeof options>,
  );
  const blocks = [
    section(`What does the order service say about ${targetOf(record, addresses)}? ${what}`),
    fields.action.block(),
    ...(paused && actions.includes('not_received')
      ? [context(`${capital(whoPaused(paused))}, so nothing can be sent again until an admin resumes it.`)]
      : []),
  ];
  return view({ title: `${recordOutcomeText(record)}?`, ...buttons, blocks }, { ref: refTo(record), moment });
}
