/**
 * A remark at the top of a form that was submitted: what the person should know before it is taken. What they typed
 * stays, since the inputs have the same ids as before (https://docs.slack.dev/reference/views/modal-views, "Preserving
 * input entry in views"); what they were told comes back with the form, in its metadata.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../../json.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';

/** `acknowledged`: the id of an earlier request for the same. `typed`, `meant`: an id, and its right spelling. */
const AlreadyTold = z.object({
  acknowledged: z.string().optional(),
  typed: z.string().optional(),
  meant: z.string().optional(),
});
export type AlreadyTold = z.infer<typeof AlreadyTold>;

/** `submit`: what the button says that takes the form in spite of it. */
export type Remark = { text: string; submit: string; told: AlreadyTold };

/** A form as Slack gives it back. */
type Form = Pick<types.ModalView, 'blocks'> & {
  title: types.PlainTextElement;
  submit?: types.PlainTextElement | null;
  close?: types.PlainTextElement | null;
  callback_id: string;
  private_metadata: string;
};

export function withRemark(form: Form, { text, submit, told }: Remark): types.ModalView {
  return {
    type: 'modal',
    callback_id: form.callback_id,
    title: form.title,
    ...(form.close ? { close: form.close } : {}),
    submit: plain(submit, LIMITS.modalButton),
    private_metadata: JSON.stringify(told),
    blocks: [
      { ...section(text), block_id: BLOCKS.remark },
      ...form.blocks.filter(({ block_id }) => block_id !== BLOCKS.remark),
    ],
  };
}

/** The form drawn anew, with the remark that stands in it. */
export function keepRemark(form: Form, anew: types.ModalView): types.ModalView {
  const remark = form.blocks.filter(({ block_id }) => block_id === BLOCKS.remark);
  if (remark.length === 0 || !form.submit) return anew;
  const { submit, private_metadata } = form;
  return { ...anew, submit, private_metadata, blocks: [...remark, ...anew.blocks] };
}

/** The metadata of a form; empty if it is not ours. */
export function readTold(metadata: string): AlreadyTold {
  return AlreadyTold.safeParse(parseJson(metadata)).data ?? {};
}
