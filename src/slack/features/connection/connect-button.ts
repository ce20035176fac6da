/** The button of the message that whoever has installed Countermand gets: the same as /countermand connect. */

import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';
import { openConnect } from './connect.ts';

export function connectAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    await openConnect(deps, { client, context, command });
  };
}
