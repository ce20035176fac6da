/** Withdraws a person's open request, so that they can send the form beneath instead. */
import { currentStep } from '../../../requests/model/record.ts';
import { noticeModal } from '../../blocks/modals.ts';
import { readRef } from '../../blocks/ref.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { manualResultText } from '../resolve/result-text.ts';

export function withdrawSubmission({ resolveManually }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const by = body.user.id;
    const who = { workspace: workspaceOf(context), ...readRef(view.private_metadata), by, click: view.id };
    const result = await resolveManually(who, 'withdraw');
    const text =
      result.type === 'done'
        ? `${sentence(result.record, currentStep(result.record))} Close this window to send your form.`
        : manualResultText(result, undefined);
    return ack({ response_action: 'update', view: noticeModal('Withdraw the request', text) });
  };
}
