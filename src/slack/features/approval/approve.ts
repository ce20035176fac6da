/** "Approve" on a card. */

import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { votedText } from './vote-feedback.ts';
import { castByButton, slackMoment } from './voting.ts';

export function approveAction({ vote }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { id, cast } = castByButton(buttonValue(action), body.user.id, 'yes');
    const moment = 'action_ts' in action ? slackMoment(action.action_ts) : undefined;
    const timed = moment === undefined ? cast : { ...cast, moment };
    const voted = await vote({ workspace: workspaceOf(context), id }, timed);
    // The card tells the rest.
    if (voted.type === 'counted') return;
    await respond({ response_type: 'ephemeral', replace_original: false, text: votedText(voted) });
  };
}
