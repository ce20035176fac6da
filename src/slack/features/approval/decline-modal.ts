/** The forms in which an approver gives a reason for declining: with the button, or after a reaction. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { targetOf } from '../../blocks/kind-copy.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import { notToBeSent } from '../../messages/sentences/call-texts.ts';

/** Short enough that a sentence with the escaped reason fits into a section. */
export const DECLINE_REASON_MAX = 400;

export const DECLINE_TITLE = 'Decline the request';
export const ADD_REASON_TITLE = 'Add a reason';

type Where = Pick<RequestRecord, 'inSharedChannel'>;

/** @param ref to the request, with the moment of the click (ref.ts) */
export function declineModal(ref: string, record: RequestRecord): types.ModalView {
  const said = section(`This declines the request about ${targetOf(record)}, and ${notToBeSent(record)}.`);
  return {
    ...form(CALLBACKS.decline, 'Decline this request?', ref, 'Decline'),
    close: plain('Decide later', LIMITS.modalButton),
    blocks: [said, reason(record, true)],
  };
}

export function addReasonModal(ref: string, where: Where): types.ModalView {
  return {
    ...form(CALLBACKS.addReason, ADD_REASON_TITLE, ref, 'Add reason'),
    blocks: [reason(where, false)],
  };
}

function form(callback_id: string, title: string, ref: string, submit: string) {
  return {
    type: 'modal' as const,
    callback_id,
    private_metadata: ref,
    title: plain(title, LIMITS.modalTitle),
    submit: plain(submit, LIMITS.modalButton),
    close: CLOSE,
  };
}

const HINT = 'The requester and everybody who reads the card can see your reason.';
const HINT_IN_SHARED_CHANNEL =
  'The requester can read your reason. The card does not show it, because its channel is shared with another company.';

function reason({ inSharedChannel }: Where, optional: boolean): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reason,
    optional,
    label: plain('Reason'),
    hint: plain(inSharedChannel ? HINT_IN_SHARED_CHANNEL : HINT),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.reason,
      multiline: true,
      max_length: DECLINE_REASON_MAX,
    },
  };
}

const State = z.object({
  [BLOCKS.reason]: z.object({ [BLOCKS.reason]: z.object({ value: z.string().nullish() }) }),
});

/** Reads the reason, trimmed; empty if there is none. @throws if the state is not that of these modals: a fault */
export function readReason(values: unknown): string {
  return State.parse(values).reason.reason.value?.trim() ?? '';
}
