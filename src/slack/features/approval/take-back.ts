/** "Take back my vote" on the message that is voted on. */
import { readRef } from '../../blocks/ref.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { votedText } from './vote-feedback.ts';
import { slackMoment } from './voting.ts';

export function takeBackAction({ takeBack }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { id, step } = readRef(buttonValue(action));
    const moment = 'action_ts' in action ? slackMoment(action.action_ts) : undefined;
    const who = { by: body.user.id, step, ...(moment === undefined ? {} : { moment }) };
    const voted = await takeBack({ workspace: workspaceOf(context), id }, who);
    // The card tells the rest.
    if (voted.type === 'counted') return;
    await respond({ response_type: 'ephemeral', replace_original: false, text: votedText(voted) });
  };
}
