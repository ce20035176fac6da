/** Somebody withdraws their open request, to send the form beneath instead. */
import { currentStep } from '../../../requests/model/record.ts';
import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { intervenedText } from '../resolve/text.ts';
import { WITHDRAW_TITLE } from './withdraw-modal.ts';

export function withdrawSubmission({ intervene }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const who = { workspace: workspaceOf(context), ...readRef(view.private_metadata), by: body.user.id };
    const intervened = await intervene(who, 'withdraw');
    const text =
      intervened.type === 'done'
        ? `${sentence(intervened.record, currentStep(intervened.record))} Close this window to send your form.`
        : intervenedText(intervened, undefined);
    return ack({ response_action: 'update', view: noticeModal(WITHDRAW_TITLE, text) });
  };
}
