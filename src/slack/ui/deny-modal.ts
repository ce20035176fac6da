/** The forms in which an approver says why a request is denied: before, with the button; or after a reaction. Pure. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { BLOCKS, CALLBACKS } from '../ids.ts';
import { LIMITS } from './limits.ts';
import { plain, section } from './text.ts';

/** It stands within a sentence: however it is escaped, that still fits into a section. */
export const WHY_MAX = 400;

export const DENY_TITLE = 'Deny the request';
export const SAY_WHY_TITLE = 'Say why';

/** @param ref to the request @param what it asks for, escaped */
export function denyModal(ref: string, what: string): types.ModalView {
  return {
    ...form(CALLBACKS.deny, DENY_TITLE, ref, 'Deny'),
    blocks: [section(`${what} is denied, and nothing is sent to the order service.`), reason(true)],
  };
}

export function sayWhyModal(ref: string): types.ModalView {
  return { ...form(CALLBACKS.sayWhy, SAY_WHY_TITLE, ref, 'Send'), blocks: [reason(false)] };
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

function reason(optional: boolean): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reason,
    optional,
    label: plain('Why it is denied'),
    hint: plain('It is shown to the one who asked, and to everybody who reads the card.'),
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
