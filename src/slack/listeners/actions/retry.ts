/** "Retry" on a card: what the order service has refused is sent again. */
import { intervenedText } from '../../ui/intervened.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

export function retryAction({ intervene, links }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const who = { workspace: workspaceOf(context), id: buttonValue(action), by: body.user.id };
    const intervened = await intervene(who, 'retry');
    // The card tells the rest.
    if (intervened.type === 'done') return;
    const link = intervened.type === 'slot_taken' ? await links.toCard(intervened.by) : undefined;
    const text = intervenedText(intervened, link);
    await respond({ response_type: 'ephemeral', replace_original: false, text });
  };
}
