/** Listens to the open form of a request: to its submission, and to what is filled in, on which other parts of it depend. */
import type { types, ViewResponseAction } from '@slack/bolt';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { Settings } from '../../../requests/model/settings.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import type { CreateResult, FieldProblems } from '../../../requests/use-cases/create-request.ts';
import { acknowledging } from '../../../requests/use-cases/same-target.ts';
import type { FilledIn, GivenBack } from '../../blocks/forms.ts';
import { requestCallback } from '../../blocks/ids.ts';
import { refusal, textInstead, textOnTop } from '../../listeners/answers.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../../listeners/listener.ts';
import { redrawAfter } from '../../listeners/modals.ts';
import {
  fieldTexts,
  overLimitText,
  REQUEST_ANYWAY,
  SETTINGS_CHANGED,
} from '../../messages/sentences/form-texts.ts';
import { barrierSentence } from '../../messages/sentences/problems.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  slotTakenText,
} from '../../messages/sentences/result-texts.ts';
import { withdrawFirstModal } from '../resolve.ts';
import { readRequestForm, requestErrors } from './request-form.ts';
import { keepWarning, requestModal, withWarning } from './request-modal.ts';

/** The submitted form, and the settings. `target`: the id that the person means. */
type Submitted = ReturnType<typeof readRequestForm> & {
  requester: string;
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
    const target = idMeant(kind, request.target, settings);
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
    const submitted = { ...filledIn, requester: body.user.id, kind, target, view, settings };
    const answer = await toAnswer(result, submitted, deps);
    await (answer ? ack(answer) : ack());
  };
}

/** @returns undefined to close the modal: the card tells the rest */
async function toAnswer(
  result: CreateResult,
  submitted: Submitted,
  { links }: ListenerDeps,
): Promise<ViewResponseAction | undefined> {
  const { kind, target, about, view, settings, requester: reader } = submitted;
  const to = { addresses: settings, reader };
  const { title } = KIND_COPY[kind];
  switch (result.type) {
    case 'created':
      return undefined;
    case 'invalid':
      return answerWithProblems(submitted, result.problems);
    case 'settings_changed':
      return refusal(requestErrors(kind, view, { target: SETTINGS_CHANGED }));
    case 'done_before':
    case 'maybe_done_before': {
      const { type, earlier } = result;
      const text = doneBeforeText(earlier, target, await links.toCard(earlier), to);
      const shown = { ...about, acknowledged: acknowledging(type, earlier), warned: target };
      const warned = withWarning(view, { text, submit: REQUEST_ANYWAY, shown });
      return { response_action: 'update', view: warned };
    }
    case 'not_allowed':
      return textInstead(title, barrierSentence(result));
    // These pass, so the form stays as it was filled in.
    case 'too_few_approvers':
    case 'not_connected':
    case 'token_refused':
    case 'no_posting':
    case 'paused':
      return textOnTop(title, barrierSentence(result));
    case 'over_limit':
      return textOnTop(title, overLimitText(result.usage, 'this one was not made'));
    case 'slot_taken': {
      const text = slotTakenText(result.by, target, await links.toCard(result.by), to);
      return result.isTheirs
        ? { response_action: 'push', view: withdrawFirstModal(text, result.by) }
        : textOnTop(title, text);
    }
    case 'already_submitted': {
      const text = alreadySubmittedText(result.record, await links.toCard(result.record), settings);
      return textOnTop(title, text);
    }
  }
}

/**
 * Shows mistakes at their fields. The form is drawn anew to ask for a channel, if the bot can't post in the thread of the message
 * any more, or to ask for an id, if the person chose "Another id".
 */
function answerWithProblems(submitted: Submitted, problems: FieldProblems): ViewResponseAction | undefined {
  const { kind, target, request, about, wantsOtherId, view, settings } = submitted;
  const noReply = request.thread === undefined ? undefined : problems.channel;
  if (!noReply && !wantsOtherId) return refusal(requestErrors(kind, view, fieldTexts(problems)));
  const { reason, ticket } = request;
  const known = { ...about, target, reason, ticket, ...(noReply && { noReply }) };
  return { response_action: 'update', view: requestModal(kind, known, { settings }) };
}

/** Listens to the fields for the id and the channel. If this fails, the form stays as it is: the submission checks both again. */
export function requestFilledInAction(deps: ListenerDeps): Listener<ActionArgs> {
  const redraw = redrawAfter(deps.redraw, (view, args) => filledIn(deps, view, args));
  return (args) =>
    redraw(args).catch((err) =>
      deps.log.warn({ err, workspace: workspaceOf(args.context) }, 'request form not updated'),
    );
}

/**
 * Draws the form anew with the links and notes that depend on what is filled in. The input stays, because the blocks keep their
 * ids.
 */
async function filledIn(
  deps: ListenerDeps,
  view: GivenBack & FilledIn,
  { body, context }: ActionArgs,
): Promise<types.ModalView> {
  const kind = KIND_NAMES.find((name) => requestCallback(name) === view.callback_id);
  if (!kind) throw new Error("Slack's payload has no form of a request.");
  const { request, about } = readRequestForm(kind, view);
  const { channel, target, reason, ticket } = request;
  const workspace = workspaceOf(context);
  const settings = await deps.settings(workspace);
  const [sharing, usage] = await Promise.all([
    channel ? deps.sharingOf({ workspace, channel, settings }) : ('none' as const),
    deps.usageBy({ workspace, requester: body.user.id, settings }),
  ]);
  const known = { ...about, target: idMeant(kind, target, settings), reason, ticket };
  const anew = requestModal(kind, known, { settings, sharing, usage });
  return known.target === about.warned ? keepWarning(view, anew) : anew;
}
