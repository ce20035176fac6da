/** A person has recorded what became of a request. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { OUTCOME_TITLE, readOutcomeModal } from './modal.ts';
import { intervenedText } from './text.ts';

export function recordOutcomeSubmission({ intervene, links }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const who = { workspace: workspaceOf(context), ...readRef(view.private_metadata), by: body.user.id };
    const intervened = await intervene(who, readOutcomeModal(view.state.values));
    if (intervened.type === 'done') return ack();
    const link = intervened.type === 'slot_taken' ? await links.toCard(intervened.by) : undefined;
    const notice = noticeModal(OUTCOME_TITLE, intervenedText(intervened, link));
    return ack({ response_action: 'update', view: notice });
  };
}
