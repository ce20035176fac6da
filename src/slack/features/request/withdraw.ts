/** The form in which a person who repeats their own request can withdraw the open one, and then send theirs instead. */
import type { types } from '@slack/bolt';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import { form } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { CLICKED, refTo } from '../../blocks/ref.ts';
import { escaped, section } from '../../blocks/text.ts';
import { withdrawalText } from '../../messages/sentences/call-texts.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { manualResultText } from '../resolve/result-text.ts';
import { notice } from '../views.ts';

const FORM = form(CALLBACKS.withdraw, {}, CLICKED);

/** @param text how the open request stands */
export function withdrawModal(text: string, open: RequestRecord): types.ModalView {
  const blocks = [
    section(text),
    section(
      `The open request is yours. If you withdraw it, you can send the form beneath this window. ${escaped(withdrawalText(open))}`,
    ),
  ];
  const buttons = { title: 'Withdraw this request?', submit: 'Withdraw', close: 'Keep the request' };
  return FORM.view({ ...buttons, blocks }, { ref: refTo(open), moment: undefined });
}

export function withdrawSubmission({ resolveManually }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { ref } = FORM.read(view).about;
    const who = { workspace: workspaceOf(context), ...ref, by: body.user.id, click: view.id };
    const result = await resolveManually(who, 'withdraw');
    const text =
      result.type === 'done'
        ? `${sentence(result.record, currentStep(result.record))} Close this window to send your form.`
        : manualResultText(result, undefined);
    return ack(notice('Withdraw the request', text));
  };
}
