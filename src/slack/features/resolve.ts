/** Records or corrects an outcome, withdraws a request, or sends one again: by buttons and forms. */
import type { types } from '@slack/bolt';
import type { Pause } from '../../requests/model/pause.ts';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { ManualAction } from '../../requests/model/states.ts';
import { isRecorded } from '../../requests/model/summary.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import {
  offeredActions,
  type RecordableAction,
  recordableActions,
} from '../../requests/use-cases/possible-actions.ts';
import type { ManualResult } from '../../requests/use-cases/resolve-manually.ts';
import { mayDo, rolesFor } from '../../requests/use-cases/who-may.ts';
import { radios } from '../blocks/fields.ts';
import { CLICKED, form, refTo } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { context, escaped, section } from '../blocks/text.ts';
import type { Links } from '../client/links.ts';
import { retryQuestion } from '../messages/content/buttons.ts';
import { whoPaused } from '../messages/sentences/problems.ts';
import {
  capital,
  KIND_COPY,
  type KindCopy,
  linksText,
  targetOf,
} from '../messages/sentences/request-words.ts';
import { sentence } from '../messages/sentences/sentences.ts';
import { answerClick, textInstead } from './answers.ts';
import {
  type ActionArgs,
  clickOn,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import { manualResultText, nothingToRecordText, notTheirsText, tooLateText } from './result-text.ts';
import { type Filling, type RequestClick, requestFormAction } from './views.ts';

/** Explains why nothing was done, with a link to the card of the request that is in the way, if there is one. */
export async function linkedResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  links: Pick<Links, 'toCard'>,
): Promise<string> {
  return manualResultText(result, 'by' in result ? await links.toCard(result.by) : undefined);
}

export const OUTCOME_TITLE = 'Record the outcome';
export const RETRY_TITLE = 'Retry';

export const resolve: Feature = (deps) => ({
  actions: {
    [ACTIONS.retry]: resolveByButton('retry', deps),
    [ACTIONS.withdraw]: resolveByButton('withdraw', deps),
    [ACTIONS.recordOutcome]: requestFormAction(deps, OUTCOME_TITLE, (click) => formToRecord(deps, click)),
  },
  views: {
    [CALLBACKS.recordOutcome]: recordOutcomeSubmission(deps),
    [CALLBACKS.retry]: retrySubmission(deps),
  },
});

function resolveByButton(
  action: ManualAction,
  { resolveManually, links }: ListenerDeps,
): Listener<ActionArgs> {
  return async ({ ack, action: button, body, context, respond }) => {
    await ack();
    const { ref, moment } = clickOn(button);
    // The trigger is the same in each delivery of one click.
    const click = body.trigger_id;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click, moment };
    const result = await resolveManually(who, action);
    // The card tells the rest.
    if (result.type === 'done') return;
    await answerClick({ body, respond }, await linkedResultText(result, links));
  };
}

/** The form in which a person records what became of a request, or why there is none for them. */
export async function formToRecord(deps: ListenerDeps, { who, moment }: RequestClick): Promise<Filling> {
  const found = await deps.findWithRoles(who);
  if (found.type !== 'found') return { refused: manualResultText(found) };
  const { record } = found;
  const possible = recordableActions(record);
  const [first] = possible;
  if (!first) return { refused: nothingToRecordText(record) };
  const theirs = possible.filter((action) => mayDo(found, action));
  const addresses = await deps.settings(record.workspace);
  const { paused } = addresses;
  if (theirs.length > 0) return outcomeModal(record, theirs, { moment, paused, addresses });
  return { refused: notTheirsText(record, first, rolesFor(record, first)) };
}

function recordOutcomeSubmission({ resolveManually, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { about, values } = outcomeForm().read(view);
    const { ref, moment } = about;
    const by = body.user.id;
    const who = { workspace: workspaceOf(context), ...ref, by, click: view.id, moment };
    const result = await resolveManually(who, values.action);
    if (result.type === 'done') return ack();
    return ack(textInstead(OUTCOME_TITLE, await linkedResultText(result, links)));
  };
}

const RETRY_FORM = form(CALLBACKS.retry, {}, CLICKED);

/** The form that asks before a request is sent again, or why there is none for this person. */
export async function formToRetry(
  { findWithRoles, settings }: ListenerDeps,
  { who, moment }: RequestClick,
): Promise<Filling> {
  const found = await findWithRoles(who);
  if (found.type !== 'found') return { refused: manualResultText(found) };
  const { record } = found;
  if (!offeredActions(record).includes('retry'))
    return { refused: tooLateText(record, { action: 'retry', state: record.state }) };
  return retryModal(record, moment, await settings(record.workspace));
}

export function retryModal(
  record: RequestRecord,
  moment: number | undefined,
  addresses?: Addresses,
): types.ModalView {
  const { text, yes, no } = retryQuestion(record);
  const look = linksText(record, addresses);
  const blocks = [section(escaped(text)), ...(look ? [context(look)] : [])];
  return RETRY_FORM.view(
    { title: RETRY_TITLE, submit: yes, close: no, blocks },
    { ref: refTo(record), moment },
  );
}

function retrySubmission({ resolveManually, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { ref, moment } = RETRY_FORM.read(view).about;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click: view.id, moment };
    const result = await resolveManually(who, 'retry');
    if (result.type === 'done')
      return ack(textInstead(RETRY_TITLE, sentence(result.record, currentStep(result.record))));
    return ack(textInstead(RETRY_TITLE, await linkedResultText(result, links)));
  };
}

/**
 * The outcomes, each with a description: both have at most 75 characters
 * (https://docs.slack.dev/reference/block-kit/composition-objects/option-object). Only "In review" names a review, because the
 * order service may have decided without one.
 */
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

/** @param options what this person may record; to read the form, all outcomes: the rights are checked again */
const outcomeForm = (options: Partial<ReturnType<typeof optionsFor>> = optionsFor(KIND_COPY.cancel_order)) =>
  form(CALLBACKS.recordOutcome, { action: radios('outcome', { label: 'Outcome', options }) }, CLICKED);

type OutcomeDetails = { moment: number | undefined; paused?: Pause | undefined; addresses?: Addresses };

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
  { moment, paused, addresses }: OutcomeDetails,
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
