/** The button "Record the outcome" and its form. */
import { noticeModal } from '../../blocks/modals.ts';
import { readRef } from '../../blocks/ref.ts';
import { recordableActs } from '../../messages/content/buttons.ts';
import {
  type ActionArgs,
  buttonValue,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { openModal } from '../modals.ts';
import { OUTCOME_TITLE, outcomeModal, readOutcomeModal } from './modal.ts';
import { manualResultText } from './result-text.ts';

/** "Record the outcome" on a card: asks what became of the request. */
export function recordOutcomeAction({ findForResolution, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const { id } = readRef(buttonValue(action));
    const who = { workspace: workspaceOf(context), id, by: body.user.id };
    const opening = {
      client,
      triggerId: body.trigger_id,
      title: OUTCOME_TITLE,
      meanwhile: 'Loading the request…',
      log,
    };
    await openModal(opening, async () => {
      const found = await findForResolution(who);
      if (found.type !== 'found') return noticeModal(OUTCOME_TITLE, manualResultText(found, undefined));
      const { record } = found;
      const isOpen = recordableActs(record).length > 0;
      const tooLate = { type: 'too_late' as const, record };
      return isOpen ? outcomeModal(record) : noticeModal(OUTCOME_TITLE, manualResultText(tooLate, undefined));
    });
  };
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
