/** The button "Record the outcome" and its form. */
import { noticeModal } from '../../blocks/modals.ts';
import { readRef } from '../../blocks/ref.ts';
import { recordableActions } from '../../messages/content/buttons.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { requestFormAction } from '../views.ts';
import { OUTCOME_TITLE, outcomeModal, readOutcomeModal } from './modal.ts';
import { manualResultText } from './result-text.ts';

/** "Record the outcome" on a card: asks what became of the request. */
export function recordOutcomeAction({ findForResolution, log }: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction({ title: OUTCOME_TITLE, log }, async (_ref, who) => {
    const found = await findForResolution(who);
    if (found.type !== 'found') return noticeModal(OUTCOME_TITLE, manualResultText(found, undefined));
    const { record } = found;
    if (recordableActions(record).length > 0) return outcomeModal(record);
    return noticeModal(OUTCOME_TITLE, manualResultText({ type: 'too_late', record }, undefined));
  });
}

/** A person has recorded what became of a request. */
export function recordOutcomeSubmission({ resolveManually, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const who = { workspace: workspaceOf(context), ...readRef(view.private_metadata), by: body.user.id };
    const result = await resolveManually(who, readOutcomeModal(view.state.values));
    if (result.type === 'done') return ack();
    const link = result.type === 'slot_taken' ? await links.toCard(result.by) : undefined;
    const notification = noticeModal(OUTCOME_TITLE, manualResultText(result, link));
    return ack({ response_action: 'update', view: notification });
  };
}
