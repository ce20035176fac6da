/** Handles the submission of the form, and offers to withdraw the person's own open request that is in the way. */
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
import { type AboutRequest, readRequestForm, requestErrors } from './request-form.ts';
import { requestModal } from './request-modal.ts';

/** The submitted form, and the settings. `target`: the id that the person means. */
type Submitted = ReturnType<typeof readRequestForm> & {
  kind: Kind;
  target: string;
  view: ViewArgs['view'];
  settings: Settings;
};

export function requestSubmission(kind: Kind, deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const filledIn = readRequestForm(kind, view);
    const { request, about } = filledIn;
    const workspace = workspaceOf(context);
    const settings = await deps.settings(workspace);
    const typed = idMeant(kind, request.target, settings);
    const target = typed === about.typed ? (about.meant ?? typed) : typed;
    const result = await deps.createRequest({
      ...request,
      target,
      acknowledged: about.acknowledged,
      linkTo: deps.links.toCard,
      workspace,
      requester: body.user.id,
      kind,
      // Slack delivers a submission again when its answer was late; the view is the same.
      idempotencyKey: view.id,
    });
    const answer = await toAnswer(result, { ...filledIn, kind, target, view, settings }, deps);
    await (answer ? ack(answer) : ack());
  };
}

/** @returns undefined to close the modal: the card tells the rest */
async function toAnswer(
  result: CreateResult,
  submitted: Submitted,
  { links }: ListenerDeps,
): Promise<ViewResponseAction | undefined> {
  const { kind, target, about, view, settings } = submitted;
  const { title } = KIND_COPY[kind];
  const warning = (text: string, submit: string, shown: Partial<AboutRequest>) => {
    const warned = withWarning(view, { text, submit, shown: { ...about, ...shown } });
    return { response_action: 'update' as const, view: warned };
  };
  const onTop = (modal: types.ModalView) => ({ response_action: 'push' as const, view: modal });
  switch (result.type) {
    case 'created':
      return undefined;
    case 'invalid':
      return toProblems(submitted, result.problems);
    case 'settings_changed':
      return refusal(requestErrors(kind, view, { target: SETTINGS_CHANGED }));
    case 'misspelled': {
      const { typed, meant } = result;
      return warning(misspelledText(result), 'Use this spelling', { typed, meant });
    }
    case 'done_before': {
      const { earlier } = result;
      const text = doneBeforeText(earlier, target, await links.toCard(earlier), settings);
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
      const text = slotTakenText(result.by, target, await links.toCard(result.by), settings);
      return onTop(result.isTheirs ? withdrawModal(text, result.by) : textModal(title, text));
    }
    case 'already_submitted': {
      const text = alreadySubmittedText(result.record, await links.toCard(result.record), settings);
      return onTop(textModal(title, text));
    }
  }
}

/**
 * Shows mistakes at their fields. If the bot can't post in the thread of the message any more, the form is drawn anew, and
 * asks for a channel.
 */
function toProblems(
  { kind, target, request, about, view, settings }: Submitted,
  problems: FieldProblems,
): ViewResponseAction | undefined {
  const noReply = request.thread === undefined ? undefined : problems.channel;
  if (!noReply) return refusal(requestErrors(kind, view, fieldTexts(problems)));
  const { reason, ticket } = request;
  const known = { ...about, target, reason, noReply, ticket };
  const { reasons } = settings;
  return {
    response_action: 'update',
    view: requestModal(kind, known, { reasons, addresses: settings }),
  };
}

const WITHDRAW_FORM = form(CALLBACKS.withdraw, {}, CLICKED);

/** Offers to withdraw the open request, on top of the form. @param text the sentence about that request */
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
