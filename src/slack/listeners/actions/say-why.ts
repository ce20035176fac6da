/** "Say why" in the thread, after a denial by a reaction. */
import { sayWhyModal } from '../../ui/deny-modal.ts';
import { type ActionArgs, buttonValue, type Listener } from '../listener.ts';

export function sayWhyAction(): Listener<ActionArgs> {
  return async ({ ack, action, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: sayWhyModal(buttonValue(action)) });
  };
}
