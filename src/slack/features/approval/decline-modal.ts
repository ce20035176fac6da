/** The forms in which an approver says why a request is denied: before, with the button; or after a reaction. Pure. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { targetOf } from '../../blocks/kind-copy.ts';
import { LIMITS } from '../../blocks/limits.ts';
import { plain, section } from '../../blocks/text.ts';
import { notToBeSent } from '../../messages/sentences/call-texts.ts';

/** It stands within a sentence: however it is escaped, that still fits into a section. */
export const WHY_MAX = 400;

export const DENY_TITLE = 'Deny the request';
export const SAY_WHY_TITLE = 'Add a reason';

type Where = Pick<RequestRecord, 'inSharedChannel'>;

/** @param ref to the request */
export function denyModal(ref: string, record: RequestRecord): types.ModalView {
  const said = section(`The request about ${targetOf(record)} is denied, and ${notToBeSent(record)}.`);
  return { ...form(CALLBACKS.deny, DENY_TITLE, ref, 'Deny'), blocks: [said, reason(record, true)] };
}

export function sayWhyModal(ref: string, where: Where): types.ModalView {
  return { ...form(CALLBACKS.sayWhy, SAY_WHY_TITLE, ref, 'Send'), blocks: [reason(where, false)] };
}

function form(callback_id: string, title: string, ref: string, submit: string) {
  return {
    type: 'modal' as const,
    callback_id,
    private_metadata: ref,
    title: plain(title, LIMITS.modalTitle),
    submit: plain(submit, LIMITS.modalButton),
    close: plain('Cancel', LIMITS.modalButton),
  };
}

const HINT = 'It is shown to the one who asked, and to everybody who reads the card.';
const HINT_IN_SHARED_CHANNEL =
  'The one who asked can read it. The card does not show it: its channel is shared with another company.';

function reason({ inSharedChannel }: Where, optional: boolean): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reason,
    optional,
    label: plain('Why it is denied'),
    hint: plain(inSharedChannel ? HINT_IN_SHARED_CHANNEL : HINT),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.reason,
      multiline: true,
      max_length: WHY_MAX,
    },
  };
}

const State = z.object({
  [BLOCKS.reason]: z.object({ [BLOCKS.reason]: z.object({ value: z.string().nullish() }) }),
});

/** What was written, trimmed; empty: nothing. @throws where the state is not that of these modals: a fault */
export function readReason(values: unknown): string {
  return State.parse(values).reason.reason.value?.trim() ?? '';
}
