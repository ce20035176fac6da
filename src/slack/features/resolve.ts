/** Withdraws a request, sends one again, or records its outcome (record-outcome.ts): by buttons and forms. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { ManualAction } from '../../requests/model/states.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { offeredActions, possibleActions } from '../../requests/use-cases/possible-actions.ts';
import { isWarning, type Warned } from '../../requests/use-cases/resolve-manually.ts';
import { acknowledging } from '../../requests/use-cases/same-target.ts';
import { mayDo, rolesFor } from '../../requests/use-cases/who-may.ts';
import {
  type About,
  CLICKED,
  type Clicked,
  type Confirming,
  type FilledIn,
  form,
  refTo,
} from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { context, escaped, section } from '../blocks/text.ts';
import { answerClick, linkedResultText, textInstead } from '../listeners/answers.ts';
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
import {
  linksText,
  retryQuestion,
  titled,
  withdrawalText,
  withdrawQuestion,
} from '../messages/sentences/request-words.ts';
import {
  manualResultText,
  notTheirsText,
  RETRY_ANYWAY,
  retryInHistory,
  shownTo,
  tooLateText,
} from '../messages/sentences/result-texts.ts';
import { sentence } from '../messages/sentences/sentences.ts';
import { outcomeForm, RECORD_OUTCOME } from './record-outcome.ts';

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
      return answerClick({ body, respond }, `${text}\n${retryInHistory(ref)}`);
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
  const theirs =
    'The open request is yours. If you withdraw it, you can submit the form beneath this window.';
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

/** Warns a person who retries what another request has done, or may have done: they read it, and confirm once more. */
function retryAnywayModal({ type, by }: Warned, clicked: Clicked, text: string): types.ModalView {
  const blocks = [section(`:warning: ${text}`)];
  const drawn = { title: RETRY.title, submit: RETRY_ANYWAY, close: 'Do not send', blocks };
  return RETRY_FORM.view(drawn, { ...clicked, acknowledged: acknowledging(type, by) });
}
