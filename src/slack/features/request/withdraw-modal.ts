/** The modal in which somebody who requests the same once more may withdraw their open request. Pure. */
import type { types } from '@slack/bolt';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { LIMITS } from '../../blocks/limits.ts';
import { refOf } from '../../blocks/ref.ts';
import { plain, section } from '../../blocks/text.ts';

export const WITHDRAW_TITLE = 'Withdraw the request';

/** @param text how the open request stands */
export function withdrawModal(title: string, text: string, open: RequestRecord): types.ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.withdraw,
    private_metadata: refOf(open),
    title: plain(title, LIMITS.modalTitle),
    submit: plain('Withdraw that one', LIMITS.modalButton),
    close: plain('Close', LIMITS.modalButton),
    blocks: [
      section(text),
      section('It is yours: withdraw it, and the form beneath this window can be sent.'),
    ],
  };
}
