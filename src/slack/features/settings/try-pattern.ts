/** "Try it" in the settings: which ids the pattern finds in a text, as the shortcut of a message finds them. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { idsInMessage } from '../../../requests/use-cases/addresses.ts';
import { text } from '../../blocks/fields.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { escaped, listed, section } from '../../blocks/text.ts';
import type { ActionArgs, Listener } from '../listener.ts';
import { replaceView } from '../views.ts';

const SAMPLE = text('sample', {
  label: 'A text to try this on',
  hint: 'Paste a message of a customer. The text is not saved.',
  optional: true,
  multiline: true,
  max: 2_000,
});

const TRY = 'try_pattern';
const RESULT = 'try_pattern_result';

export const tryBlocks = (): types.KnownBlock[] => [
  SAMPLE.block(),
  {
    type: 'actions',
    block_id: TRY,
    elements: [button(ACTIONS.tryPattern, 'Try it', { spoken: 'Try the pattern of order ids on the text' })],
  },
];

export type IdSettings = { orderIdPattern: string | undefined } & Pick<Addresses, 'orderAddress'>;

const State = z.object({ [SAMPLE.id]: z.object({ [SAMPLE.id]: SAMPLE.state }) });

/** @param read reads what is filled in, whether or not it is saved */
export const tryPatternAction =
  (read: (view: NonNullable<ActionArgs['body']['view']>) => IdSettings): Listener<ActionArgs> =>
  async ({ ack, body, client }) => {
    await ack();
    const { view } = body;
    if (view?.callback_id !== CALLBACKS.settings)
      throw new Error("Slack's payload has no settings to update.");
    const sample = State.parse(view.state.values)[SAMPLE.id]?.[SAMPLE.id] ?? '';
    const said = foundText(sample, read(view));
    await replaceView(client, { id: view.id, external_id: view.external_id }, withResult(view, said));
  };

export function foundText(sample: string, settings: IdSettings): string {
  if (sample === '') return 'Write a text above, and press “Try it” again.';
  const ids = idsInMessage('cancel_order', sample, settings);
  return ids.length === 0
    ? 'I find no order id in this text.'
    : `I find in this text: ${listed(ids.map((id) => `*${escaped(id)}*`))}.`;
}

/** The view as it is, with the result behind the button. Its inputs keep what is filled in, because they keep their ids. */
function withResult(view: NonNullable<ActionArgs['body']['view']>, said: string): types.ModalView {
  const { callback_id, private_metadata, title, submit, close } = view;
  const result = { ...section(said), block_id: RESULT };
  const blocks = (view.blocks as types.KnownBlock[])
    .filter(({ block_id }) => block_id !== RESULT)
    .flatMap((block) => (block.block_id === TRY ? [block, result] : [block]));
  return {
    type: 'modal',
    callback_id,
    private_metadata,
    title: title as types.PlainTextElement,
    ...(submit ? { submit: submit as types.PlainTextElement } : {}),
    ...(close ? { close: close as types.PlainTextElement } : {}),
    blocks,
  };
}
