/** Records or corrects an outcome, withdraws a request, or sends one again: by buttons and forms. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { Settings } from '../../requests/model/settings.ts';
import type { ManualAction } from '../../requests/model/states.ts';
import { isRecordedOutcome } from '../../requests/model/summary.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import {
  offeredActions,
  possibleActions,
  type RecordableAction,
  recordableActions,
} from '../../requests/use-cases/possible-actions.ts';
import type { ManualResult } from '../../requests/use-cases/resolve-manually.ts';
import { acknowledging, type Warning } from '../../requests/use-cases/same-target.ts';
import { type Actor, mayDo, rolesFor } from '../../requests/use-cases/who-may.ts';
import { radios } from '../blocks/fields.ts';
import {
  type About,
  CLICKED,
  type Clicked,
  type Confirming,
  type FilledIn,
  form,
  refTo,
  textModal,
} from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { context, escaped, section } from '../blocks/text.ts';
import type { Links } from '../client/links.ts';
import { answerClick, textInstead } from '../listeners/answers.ts';
import {
  type ActionArgs,
  clickOn,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listeners/listener.ts';
import { byClick, type ModalAboutRequest, openModal, requestFormAction } from '../listeners/modals.ts';
import { recordOutcomeText } from '../messages/content/buttons.ts';
import { whoPaused } from '../messages/sentences/problems.ts';
import {
  capital,
  KIND_COPY,
  type KindCopy,
  linksText,
  retryQuestion,
  targetOf,
  titled,
  withdrawalText,
  withdrawQuestion,
} from '../messages/sentences/request-words.ts';
import {
  manualResultText,
  nothingToRecordText,
  notTheirsText,
  RETRY_ANYWAY,
  RETRY_IN_HISTORY,
  shownTo,
  tooLateText,
} from '../messages/sentences/result-texts.ts';
import { sentence } from '../messages/sentences/sentences.ts';

export const resolve: Feature = (deps) => ({
  actions: {
    [ACTIONS.retry]: resolveByButton('retry', deps),
    [ACTIONS.withdraw]: resolveByButton('withdraw', deps),
    [ACTIONS.recordOutcome]: requestFormAction(deps, RECORD_OUTCOME),
  },
  views: {
    [CALLBACKS.recordOutcome]: resolveByForm(deps, {
      read(view) {
        const { about, values } = outcomeForm().read(view);
        return { about, action: values.action };
      },
    }),
    [CALLBACKS.retry]: resolveByForm(deps, {
      read: (view) => ({ about: RETRY_FORM.read(view).about, action: 'retry' }),
      doneText: (record) => sentence(record, currentStep(record)),
    }),
    [CALLBACKS.withdraw]: resolveByForm(deps, {
      read: (view) => ({ about: WITHDRAW_FORM.read(view).about, action: 'withdraw' }),
      doneText: (record) => `${sentence(record, currentStep(record))} Close this window to go on.`,
    }),
  },
});

function resolveByButton(action: ManualAction, deps: ListenerDeps): Listener<ActionArgs> {
  const { resolveManually, links } = deps;
  return async (args) => {
    const { ack, action: button, body, context, respond } = args;
    await ack();
    const { ref, moment } = clickOn(button);
    // The trigger is the same in each delivery of one click.
    const click = body.trigger_id;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click, moment };
    const result = await resolveManually(who, action);
    // The card shows the result.
    if (result.type === 'done') return;
    const text = await linkedResultText(result, links, who.by);
    if (!isWarning(result)) return answerClick({ body, respond }, titled(result, text));
    const modal = retryAnywayModal(result, { ref, moment }, text);
    const frame = { title: RETRY.title, meanwhile: 'Loading the request…' };
    // The trigger lasts for 3 s, and what was looked up before may have taken longer.
    await openModal(deps, byClick(args), frame, async () => modal).catch((err) => {
      deps.log.warn({ err, workspace: who.workspace, user: who.by }, 'warning told without its form');
      return answerClick({ body, respond }, `${text}\n${RETRY_IN_HISTORY}`);
    });
  };
}

/**
 * `doneText`: the text in place of the form once the action is done; without it the form is closed, and the card shows the
 * result. By then the request may have moved on, because Slack may deliver the form again.
 */
type ResolvingForm = {
  read: (view: FilledIn) => { about: Retrying; action: ManualAction };
  doneText?: (record: RequestRecord) => string;
};

function resolveByForm(
  { resolveManually, links }: ListenerDeps,
  { read, doneText }: ResolvingForm,
): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    // The title of the form is a question; that of the view in its place is not.
    const title = view.title.text.replace('?', '');
    const { about, action } = read(view);
    const { ref, moment, acknowledged } = about;
    const knowing = { acknowledged, linkTo: links.toCard };
    const clicked = { workspace: workspaceOf(context), ...ref, by: body.user.id, click: view.id, moment };
    const who = { ...clicked, ...knowing };
    const result = await resolveManually(who, action);
    if (result.type === 'done')
      return doneText ? ack(textInstead(title, doneText(shownTo(who.by, result.record)))) : ack();
    const text = await linkedResultText(result, links, who.by);
    if (!isWarning(result)) return ack(textInstead(title, text));
    return ack({ response_action: 'update', view: retryAnywayModal(result, about, text) });
  };
}

/** Explains why nothing was done, with a link to the card of the request that is in the way, if there is one. */
export async function linkedResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  links: Pick<Links, 'toCard'>,
  reader?: string,
): Promise<string> {
  return manualResultText(result, 'by' in result ? await links.toCard(result.by) : undefined, reader);
}

export const WITHDRAW: ModalAboutRequest = {
  title: 'Withdraw the request',
  async fill({ findWithRoles, settings }, { who, moment }) {
    const found = await findWithRoles(who);
    if (found.type !== 'found') return { refused: manualResultText(found) };
    const { record } = found;
    if (!possibleActions(record).includes('withdraw'))
      return { refused: tooLateText(record, { action: 'withdraw', state: record.state }) };
    if (!mayDo(found, 'withdraw'))
      return { refused: notTheirsText(record, 'withdraw', rolesFor(record, 'withdraw')) };
    return withdrawModal(record, moment, await settings(record.workspace));
  },
};

const WITHDRAW_FORM = form(CALLBACKS.withdraw, {}, CLICKED);

export const withdrawModal = (
  record: RequestRecord,
  moment?: number,
  addresses?: Addresses,
): types.ModalView =>
  WITHDRAW_FORM.view(questionForm(withdrawQuestion(record), record, addresses), {
    ref: refTo(record),
    moment,
  });

/** Offers to withdraw the person's own open request, on top of the form of a new one. @param text about the open request */
export function withdrawFirstModal(text: string, open: RequestRecord): types.ModalView {
  const question = withdrawQuestion(open);
  const theirs = 'The open request is yours. If you withdraw it, you can send the form beneath this window.';
  const blocks = [
    section(text),
    section(`${theirs} ${escaped(withdrawalText(open, 'The withdrawn request'))}`),
  ];
  return WITHDRAW_FORM.view(
    { ...questionForm(question, open), blocks },
    { ref: refTo(open), moment: undefined },
  );
}

/** The parts of a form that asks what a button asks in a dialog, with links to the order or offer and to the ticket. */
function questionForm({ title, text, yes, no }: Confirming, record: RequestRecord, addresses?: Addresses) {
  const look = linksText(record, addresses);
  const blocks = [section(escaped(text)), ...(look ? [context(look)] : [])];
  return { title, submit: yes, close: no, blocks };
}

export const RETRY: ModalAboutRequest = {
  title: 'Retry',
  async fill({ findWithRoles, settings }, { who, moment }) {
    const found = await findWithRoles(who);
    if (found.type !== 'found') return { refused: manualResultText(found) };
    const { record } = found;
    if (!offeredActions(record).includes('retry'))
      return { refused: tooLateText(record, { action: 'retry', state: record.state }) };
    return retryModal(record, moment, await settings(record.workspace));
  },
};

/** `acknowledged`: the warning of another request that the form showed (same-target.ts). */
type Retrying = Clicked & { acknowledged?: string | undefined };

const RETRYING: About<Retrying> = {
  write: (about) => [CLICKED.write(about), about.acknowledged].filter(Boolean).join('\n'),
  read(text) {
    const [clicked = '', acknowledged] = text.split('\n');
    return { ...CLICKED.read(clicked), acknowledged };
  },
};

const RETRY_FORM = form(CALLBACKS.retry, {}, RETRYING);

export const retryModal = (record: RequestRecord, moment?: number, addresses?: Addresses): types.ModalView =>
  RETRY_FORM.view(
    { ...questionForm(retryQuestion(record), record, addresses), title: RETRY.title },
    { ref: refTo(record), moment },
  );

type Warned = Extract<ManualResult, { type: Warning['type'] }>;

/** Whether nothing was sent because another request has done it, or may have done it, and the person may not know. */
export const isWarning = (result: ManualResult): result is Warned =>
  result.type === 'done_before' || result.type === 'maybe_done_before';

/** Warns a person who retries what another request has done, or may have done: they read it, and confirm once more. */
function retryAnywayModal({ type, by }: Warned, clicked: Clicked, text: string): types.ModalView {
  const blocks = [section(`:warning: ${text}`)];
  const drawn = { title: RETRY.title, submit: RETRY_ANYWAY, close: 'Do not send', blocks };
  return RETRY_FORM.view(drawn, { ...clicked, acknowledged: acknowledging(type, by) });
}

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
 * order service may have decided without one.
 */
const optionsFor = ({
  noun,
  participle,
}: KindCopy): Record<RecordableAction, readonly [text: string, description: string]> => ({
  approved: [capital(participle), `The order service shows the ${noun} as ${participle}.`],
  denied: [`Not ${participle}`, `The order service decided against it, and the ${noun} stands.`],
  in_review: ['In review', 'The order service is reviewing the request and has not decided.'],
  sent: ['Sent', 'The customer has the offer.'],
  canceled: [capital(participle), `The order service shows it as ${participle}.`],
  not_received: [
    'Not received: send the request again',
    'Only if the order service does not have it: otherwise it gets it twice.',
  ],
  never_received: ['Not received', 'The order service does not know this request. Nothing is sent now.'],
  release: ['Close the request without an outcome', 'This request ends, and a new one can be made.'],
});

/**
 * Declares the form.
 *
 * @param options the outcomes that this person may record; left out, to read the form: all, because the rights are checked again
 */
const outcomeForm = (options: Partial<ReturnType<typeof optionsFor>> = optionsFor(KIND_COPY.cancel_order)) =>
  form(CALLBACKS.recordOutcome, { action: radios('outcome', { label: 'Outcome', options }) }, CLICKED);

const RECORDS = {
  submit: 'Record outcome',
  close: 'Record nothing',
  what: 'The card will name you.',
};

const CORRECTS = {
  submit: 'Correct outcome',
  close: 'Keep the outcome',
  what: 'The card will name you. This replaces the recorded outcome; nothing is sent.',
};

export function outcomeModal(
  record: RequestRecord,
  actions: readonly RecordableAction[],
  moment?: number,
  { paused, ...addresses }: Addresses & Pick<Settings, 'paused'> = {},
): types.ModalView {
  const { what, ...buttons } = isRecordedOutcome(currentStep(record)) ? CORRECTS : RECORDS;
  const options = optionsFor(KIND_COPY[record.kind]);
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
