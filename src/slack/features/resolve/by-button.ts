/** The buttons "Retry" and "Withdraw": one click resolves. */

import type { ManualAction } from '../../../requests/model/states.ts';
import { readRef } from '../../blocks/ref.ts';
import {
  type ActionArgs,
  buttonValue,
  type Listener,
  type ListenerDeps,
  momentOf,
  workspaceOf,
} from '../listener.ts';
import { answerClick } from '../views.ts';
import { manualResultText } from './result-text.ts';

export function resolveByButton(
  action: ManualAction,
  { resolveManually, links }: ListenerDeps,
): Listener<ActionArgs> {
  return async ({ ack, action: button, body, context, respond }) => {
    await ack();
    const who = {
      workspace: workspaceOf(context),
      ...readRef(buttonValue(button)),
      by: body.user.id,
      // The same in each delivery of one click.
      click: body.trigger_id,
      moment: momentOf(button),
    };
    const result = await resolveManually(who, action);
    // The card tells the rest.
    if (result.type === 'done') return;
    const link = 'by' in result ? await links.toCard(result.by) : undefined;
    await answerClick({ body, respond }, manualResultText(result, link));
  };
}
