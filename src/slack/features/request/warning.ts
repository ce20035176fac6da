/**
 * A warning at the top of a submitted form: the person reads it, and submits again or corrects the form. Their input is
 * kept, because the inputs have the same ids as before (https://docs.slack.dev/reference/views/modal-views, "Preserving
 * input entry in views"). The warnings already shown come back in the metadata of the form.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../../json.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';

/** `acknowledged`: the id of an earlier request for the same. `typed`, `meant`: an id, and its right spelling. */
const ShownWarnings = z.object({
  acknowledged: z.string().optional(),
  typed: z.string().optional(),
  meant: z.string().optional(),
});
export type ShownWarnings = z.infer<typeof ShownWarnings>;

/** `submit`: the label of the submit button while the warning is shown. */
export type Warning = { text: string; submit: string; shown: ShownWarnings };

/** A form as Slack gives it back. */
type Form = Pick<types.ModalView, 'blocks'> & {
  title: types.PlainTextElement;
  submit?: types.PlainTextElement | null;
  close?: types.PlainTextElement | null;
  callback_id: string;
  private_metadata: string;
};

export function withWarning(form: Form, { text, submit, shown }: Warning): types.ModalView {
  return {
    type: 'modal',
    callback_id: form.callback_id,
    title: form.title,
    ...(form.close ? { close: form.close } : {}),
    submit: plain(submit, LIMITS.modalButton),
    private_metadata: JSON.stringify(shown),
    blocks: [
      { ...section(text), block_id: BLOCKS.warning },
      ...form.blocks.filter(({ block_id }) => block_id !== BLOCKS.warning),
    ],
  };
}

/** Redraws the form and keeps the warning that it shows. */
export function keepWarning(form: Form, anew: types.ModalView): types.ModalView {
  const warning = form.blocks.filter(({ block_id }) => block_id === BLOCKS.warning);
  if (warning.length === 0 || !form.submit) return anew;
  const { submit, private_metadata } = form;
  return { ...anew, submit, private_metadata, blocks: [...warning, ...anew.blocks] };
}

/** The metadata of a form; empty if it is not ours. */
export function readShownWarnings(metadata: string): ShownWarnings {
  return ShownWarnings.safeParse(parseJson(metadata)).data ?? {};
}
