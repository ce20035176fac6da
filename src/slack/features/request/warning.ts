/**
 * A warning at the top of a submitted form: the person reads it, and submits again or corrects the form. Their input is
 * kept, because the inputs have the same ids as before (https://docs.slack.dev/reference/views/modal-views, "Preserving
 * input entry in views"). The warnings already shown come back in the metadata of the form.
 */
import type { types } from '@slack/bolt';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import type { AboutRequest } from './request-form.ts';

const WARNING = 'warning';

/** `submit`: the label of the submit button while the warning is shown. */
export type Warning = { text: string; submit: string; shown: AboutRequest };

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
      { ...section(text), block_id: WARNING },
      ...form.blocks.filter(({ block_id }) => block_id !== WARNING),
    ],
  };
}

/** Redraws the form and keeps the warning that it shows. */
export function keepWarning(form: Form, anew: types.ModalView): types.ModalView {
  const warning = form.blocks.filter(({ block_id }) => block_id === WARNING);
  if (warning.length === 0 || !form.submit) return anew;
  const { submit, private_metadata } = form;
  return { ...anew, submit, private_metadata, blocks: [...warning, ...anew.blocks] };
}
