/** The emoji that an admin can choose from, for votes. */

import type { Listener, OptionsArgs } from '../listener.ts';
import { emojiOptions } from './emoji-options.ts';

export function emojiOptionsListener(): Listener<OptionsArgs> {
  return async ({ ack, payload }) => {
    await ack({ options: emojiOptions(payload.value) });
  };
}
