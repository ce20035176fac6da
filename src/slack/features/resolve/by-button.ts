/** A person decides about a request with one click. */
import type { PersonAct } from '../../../requests/model/cause.ts';
import { readRef } from '../../blocks/ref.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { intervenedText } from './text.ts';

export function decideByButton(act: PersonAct, { intervene, links }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const who = { workspace: workspaceOf(context), ...readRef(buttonValue(action)), by: body.user.id };
    const intervened = await intervene(who, act);
    // The card tells the rest.
    if (intervened.type === 'done') return;
    const link = intervened.type === 'slot_taken' ? await links.toCard(intervened.by) : undefined;
    const text = intervenedText(intervened, link);
    await respond({ response_type: 'ephemeral', replace_original: false, text });
  };
}
