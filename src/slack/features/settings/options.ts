/** The options of the selects in settings: user groups and emoji. */

import { LIMITS } from '../../blocks/text.ts';
import { listGroups } from '../../directory/user-groups.ts';
import { type Listener, type OptionsArgs, workspaceOf } from '../listener.ts';
import { emojiOptions } from './emoji-options.ts';
import { groupOption } from './inputs.ts';

/** The emoji that an admin can choose from, for votes. */
export function emojiOptionsListener(): Listener<OptionsArgs> {
  return async ({ ack, payload }) => {
    await ack({ options: emojiOptions(payload.value) });
  };
}

/** The user groups that an admin can choose from, for "Who may make requests". */
export function requesterGroupOptions(): Listener<OptionsArgs> {
  return async ({ ack, client, context, payload }) => {
    const wanted = payload.value.toLowerCase();
    const groups = await listGroups(client, workspaceOf(context));
    const options = groups
      .map(({ id = '', name = '', handle = '' }) => ({ id, name: `${name} (@${handle})` }))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(0, LIMITS.options)
      .map(groupOption);
    await ack({ options });
  };
}
