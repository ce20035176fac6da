/** "Record the outcome" on a card: asks what became of the request. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { recordableActs } from '../../messages/buttons.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { OUTCOME_TITLE, outcomeModal } from './modal.ts';
import { intervenedText } from './text.ts';

export function recordOutcomeAction({ findForIntervention, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const { id } = readRef(buttonValue(action));
    const who = { workspace: workspaceOf(context), id, by: body.user.id };
    const opening = {
      client,
      trigger: body.trigger_id,
      title: OUTCOME_TITLE,
      meanwhile: 'Reading the request…',
      log,
    };
    await openThenFill(opening, async () => {
      const found = await findForIntervention(who);
      if (found.type !== 'found') return noticeModal(OUTCOME_TITLE, intervenedText(found, undefined));
      const { record } = found;
      const isOpen = recordableActs(record).length > 0;
      const tooLate = { type: 'too_late' as const, record };
      return isOpen ? outcomeModal(record) : noticeModal(OUTCOME_TITLE, intervenedText(tooLate, undefined));
    });
  };
}
