/** The modal in which a person who repeats their own request can withdraw the open one. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { refOf } from '../../blocks/ref.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';

export const WITHDRAW_TITLE = 'Withdraw the request';

/** @param text how the open request stands */
export function withdrawModal(title: string, text: string, open: RequestRecord): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.withdraw,
    private_metadata: refOf(open),
    title: plain(title, LIMITS.modalTitle),
    submit: plain('Withdraw open request', LIMITS.modalButton),
    close: CLOSE,
    blocks: [
      section(text),
      section('The open request is yours. Withdraw it to send the form beneath this window.'),
    ],
  };
}
