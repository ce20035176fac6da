/** The user groups that an admin can choose from, for "Who may ask". */
import { LIMITS } from '../../blocks/limits.ts';
import { listGroups } from '../../directory/user-groups.ts';
import { type Listener, type OptionsArgs, workspaceOf } from '../listener.ts';
import { groupOption } from '../setting-inputs.ts';

export function askersOptions(): Listener<OptionsArgs> {
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
