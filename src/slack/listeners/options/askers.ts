/** The user groups that an admin can choose from, for "Who may ask". */
import { LIMITS } from '../../ui/limits.ts';
import { groupOption } from '../../ui/setting-inputs.ts';
import type { Listener, OptionsArgs } from '../listener.ts';

export function askersOptions(): Listener<OptionsArgs> {
  return async ({ ack, client, payload }) => {
    const wanted = payload.value.toLowerCase();
    const { usergroups = [] } = await client.usergroups.list({});
    const options = usergroups
      .map(({ id = '', name = '', handle = '' }) => ({ id, name: `${name} (@${handle})` }))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(0, LIMITS.options)
      .map(groupOption);
    await ack({ options });
  };
}
