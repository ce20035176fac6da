/** The modal in which a person who repeats their own request can withdraw the open one. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { refOf } from '../../blocks/ref.ts';
import { escaped, LIMITS, plain, section } from '../../blocks/text.ts';
import { withdrawalText } from '../../messages/sentences/call-texts.ts';

const WITHDRAW_TITLE = 'Withdraw this request?';

/** @param text how the open request stands */
export function withdrawModal(text: string, open: RequestRecord): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.withdraw,
    private_metadata: refOf(open),
    title: plain(WITHDRAW_TITLE, LIMITS.modalTitle),
    submit: plain('Withdraw', LIMITS.modalButton),
    close: plain('Keep the request', LIMITS.modalButton),
    blocks: [
      section(text),
      section(
        `The open request is yours. If you withdraw it, you can send the form beneath this window. ${escaped(withdrawalText(open))}`,
      ),
    ],
  };
}
