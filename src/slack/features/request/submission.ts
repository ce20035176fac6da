/** Submits the form of a request, and withdraws the request. */
import type { types, ViewResponseAction } from '@slack/bolt';
import type { Kind } from '../../../requests/model/kinds.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import type { CreateResult, FieldProblems } from '../../../requests/use-cases/create-request.ts';
import { CLICKED, form, refTo, textModal } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import {
  barrierSentence,
  fieldTexts,
  misspelledText,
  overLimitText,
  SETTINGS_CHANGED,
} from '../../blocks/problems.ts';
import { escaped, section } from '../../blocks/text.ts';
import { withdrawalText } from '../../messages/sentences/call-texts.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { refusal, textInstead } from '../answers.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { alreadySubmittedText, doneBeforeText, manualResultText, slotTakenText } from '../result-text.ts';
import { withWarning } from './filled-in.ts';
import { type AboutRequest, readRequestForm, requestErrors, requestModal } from './request-form.ts';

/** The submitted form; `shown`: the warnings about it that the person has read. */
type Submitted = {
  kind: Kind;
  typed: string;
  shown: AboutRequest;
  view: ViewArgs['view'];
  settings: Settings;
};

export function requestSubmission(kind: Kind, deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { request, about: shown } = readRequestForm(kind, view);
    const workspace = workspaceOf(context);
    const settings = await deps.settings(workspace);
    const typed = idMeant(kind, request.target, settings);
    const target = typed === shown.typed ? (shown.meant ?? typed) : typed;
    const result = await deps.createRequest({
      ...request,
      target,
      acknowledged: shown.acknowledged,
      linkTo: deps.links.toCard,
      workspace,
      requester: body.user.id,
      kind,
      // Slack delivers a submission again when its answer was late; the view is the same.
      idempotencyKey: view.id,
    });
    const answer = await toAnswer(result, { kind, typed: target, shown, view, settings }, deps);
    await (answer ? ack(answer) : ack());
  };
}

/** Undefined closes the modal: the card will tell the rest. */
async function toAnswer(
  result: CreateResult,
  { kind, typed, shown, view, settings }: Submitted,
  { links }: ListenerDeps,
): Promise<ViewResponseAction | undefined> {
  const { title } = KIND_COPY[kind];
  const warning = (text: string, submit: string, about: Partial<AboutRequest>) => {
    const warned = withWarning(view, { text, submit, shown: { ...shown, ...about } });
    return { response_action: 'update' as const, view: warned };
  };
  const onTop = (modal: types.ModalView) => ({ response_action: 'push' as const, view: modal });
  switch (result.type) {
    case 'created':
      return undefined;
    case 'invalid':
      return toProblems({ kind, typed, view, settings }, result.problems);
    case 'settings_changed':
      return refusal(requestErrors(kind, view, { target: SETTINGS_CHANGED }));
    case 'misspelled': {
      const { typed: written, meant } = result;
      return warning(misspelledText(result), 'Use this spelling', { typed: written, meant });
    }
    case 'done_before': {
      const { earlier } = result;
      const text = doneBeforeText(earlier, typed, await links.toCard(earlier), settings);
      return warning(text, 'Request anyway', { acknowledged: earlier.id });
    }
    case 'not_allowed':
    case 'too_few_approvers':
    case 'not_connected':
    case 'token_refused':
    case 'no_posting':
    case 'paused':
      return textInstead(title, barrierSentence(result));
    case 'over_limit':
      return onTop(textModal(title, overLimitText(result.usage, 'this one was not made')));
    case 'slot_taken': {
      const text = slotTakenText(result.by, typed, await links.toCard(result.by), settings);
      return onTop(result.isTheirs ? withdrawModal(text, result.by) : textModal(title, text));
    }
    case 'already_submitted': {
      const text = alreadySubmittedText(result.record, await links.toCard(result.record), settings);
      return onTop(textModal(title, text));
    }
  }
}

/** The thread of a message may have been closed to the bot since the form was opened: then the form asks for a channel. */
function toProblems(
  { kind, typed, view, settings }: Pick<Submitted, 'kind' | 'typed' | 'view' | 'settings'>,
  problems: FieldProblems,
) {
  const { request, about } = readRequestForm(kind, view);
  const noReply = request.thread === undefined ? undefined : problems.channel;
  if (!noReply) return refusal(requestErrors(kind, view, fieldTexts(problems)));
  const { reason, ticket } = request;
  const known = { ...about, target: typed, reason, noReply, ticket };
  const { reasons } = settings;
  return {
    response_action: 'update' as const,
    view: requestModal(kind, known, { reasons, addresses: settings }),
  };
}

const WITHDRAW_FORM = form(CALLBACKS.withdraw, {}, CLICKED);

export function withdrawModal(text: string, open: RequestRecord): types.ModalView {
  const blocks = [
    section(text),
    section(
      `The open request is yours. If you withdraw it, you can send the form beneath this window. ${escaped(withdrawalText(open))}`,
    ),
  ];
  const buttons = { title: 'Withdraw this request?', submit: 'Withdraw', close: 'Keep the request' };
  return WITHDRAW_FORM.view({ ...buttons, blocks }, { ref: refTo(open), moment: undefined });
}

export function withdrawSubmission({ resolveManually }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { ref } = WITHDRAW_FORM.read(view).about;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click: view.id };
    const result = await resolveManually(who, 'withdraw');
    const text =
      result.type === 'done'
        ? `${sentence(result.record, currentStep(result.record))} Close this window to send your form.`
        : manualResultText(result);
    return ack(textInstead('Withdraw the request', text));
  };
}
