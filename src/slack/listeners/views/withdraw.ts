/** Somebody withdraws their open request, to send the form beneath instead. */
import { currentStep } from '../../../requests/record.ts';
import { intervenedText } from '../../ui/intervened.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { readRef } from '../../ui/ref.ts';
import { sentence } from '../../ui/sentences.ts';
import { WITHDRAW_TITLE } from '../../ui/withdraw-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

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
