/** The emoji that an admin can choose from, for votes. */
import { emojiOptions } from '../../ui/emoji-options.ts';
import type { Listener, OptionsArgs } from '../listener.ts';

export function emojiOptionsListener(): Listener<OptionsArgs> {
  return async ({ ack, payload }) => {
    await ack({ options: emojiOptions(payload.value) });
  };
}
