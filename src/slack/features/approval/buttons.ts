/**
 * The buttons of approvers and their forms: "Approve", "Decline", "Take back my vote" and, after a request was declined by a
 * reaction, "Add a reason". Votes by reaction are in index.ts.
 */
import type { webApi } from '@slack/bolt';
import { BUTTON } from '../../../requests/model/approvals/votes.ts';
import type { ReasonGiven } from '../../../requests/use-cases/approvals/give-reason.ts';
import { type Clicked, noticeModal } from '../../blocks/forms.ts';
import { textMessage } from '../../blocks/text.ts';
import { voteFeedback } from '../../messages/sentences/vote-texts.ts';
import { answerClick, notice, refusal } from '../answers.ts';
import {
  type ActionArgs,
  clickOn,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { requestFormAction } from '../views.ts';
import {
  ADD_REASON_TITLE,
  addReasonForm,
  addReasonModal,
  DECLINE_TITLE,
  declineForm,
  declineModal,
} from './decline-forms.ts';

/** "Approve" on a card. */
export function approveAction({ vote }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { id, cast } = castByButton(clickOn(action), body.user.id, 'yes');
    const voted = await vote({ workspace: workspaceOf(context), id }, cast);
    const feedback = voteFeedback(voted);
    if (feedback !== undefined) await answerClick({ body, respond }, feedback);
  };
}

/** "Take back my vote" on the message that is voted on. */
export function takeBackAction({ takeBack }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { ref, moment } = clickOn(action);
    const who = { by: body.user.id, round: ref.seen.round, moment };
    const voted = await takeBack({ workspace: workspaceOf(context), id: ref.id }, who);
    const feedback = voteFeedback(voted);
    if (feedback !== undefined) await answerClick({ body, respond }, feedback);
  };
}

/** A vote by a button or its form, about what the person saw. */
function castByButton({ ref, moment }: Clicked, by: string, choice: 'yes' | 'no') {
  const { id, seen } = ref;
  return { id, cast: { by, choice, source: BUTTON, added: true, round: seen.round, moment } };
}

/** Tells one person something in a channel where they are. */
export async function tellPrivately(
  client: webApi.WebClient,
  where: { channel: string; user: string; thread_ts?: string },
  text: string,
): Promise<void> {
  await client.chat.postEphemeral({ ...where, ...textMessage(text) });
}

/** "Decline" on a card: opens the form for the person who may. */
export function declineAction(deps: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction(deps, DECLINE_TITLE, async (clicked) => {
    const { workspace, by } = clicked.who;
    const { id, cast } = castByButton(clicked, by, 'no');
    const voted = await deps.mayVote({ workspace, id }, cast);
    if (voted.type !== 'counted') return noticeModal(DECLINE_TITLE, voteFeedback(voted));
    return declineModal(clicked, voted.record, await deps.settings(workspace));
  });
}

/** The form in which an approver declines a request. */
export function declineSubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { about, values } = declineForm().read(view);
    const { id, cast } = castByButton(about, body.user.id, 'no');
    const voted = await vote({ workspace: workspaceOf(context), id }, { ...cast, isForm: true, ...values });
    if (voted.type === 'counted') return ack();
    return ack(notice(DECLINE_TITLE, voteFeedback(voted)));
  };
}

/** "Add a reason": opens the form for the person who may. */
export function addReasonAction(deps: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction(deps, ADD_REASON_TITLE, async (clicked) => {
    const may = await deps.mayGiveReason(clicked.who);
    return may.type === 'given'
      ? addReasonModal(clicked, may.record)
      : noticeModal(ADD_REASON_TITLE, reasonText(may));
  });
}

/** The form in which an approver who declined by a reaction adds a reason. */
export function addReasonSubmission({ giveReason }: ListenerDeps): Listener<ViewArgs> {
  const form = addReasonForm();
  return async ({ ack, body, view, context }) => {
    const { values, about } = form.read(view);
    const refused = refusal(form.mistakes(values));
    if (refused) return ack(refused);
    const who = { workspace: workspaceOf(context), id: about.ref.id, by: body.user.id };
    const given = await giveReason({ ...who, ...values });
    return given.type === 'given' ? ack() : ack(notice(ADD_REASON_TITLE, reasonText(given)));
  };
}

export function reasonText(given: Exclude<ReasonGiven, { type: 'given' }>): string {
  switch (given.type) {
    case 'not_found':
      return 'I cannot find this request. Nothing was changed.';
    case 'not_theirs':
      return 'Only the person who declined this request can add a reason. Nothing was changed.';
    case 'too_late':
      return 'A reason was already added. Nothing was changed.';
  }
}
