/** Votes by the buttons "Approve" and "Take back my vote". */

import type { webApi } from '@slack/bolt';
import { BUTTON } from '../../../requests/model/approvals/votes.ts';
import type { Clicked } from '../../blocks/ref.ts';
import { messageOf } from '../../blocks/text.ts';
import { type ActionArgs, clickOn, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { answerClick } from '../views.ts';
import { voteFeedback } from './vote-feedback.ts';

/** "Approve" on a card. */
export function approveAction({ vote }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { id, cast } = castByButton(clickOn(action), body.user.id, 'yes');
    const voted = await vote({ workspace: workspaceOf(context), id }, cast);
    const feedback = voteFeedback(voted);
    if (feedback !== undefined) await answerClick({ body, respond }, feedback);
  };
}

/** "Take back my vote" on the message that is voted on. */
export function takeBackAction({ takeBack }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, context, respond }) => {
    await ack();
    const { ref, moment } = clickOn(action);
    const who = { by: body.user.id, round: ref.seen.round, moment };
    const voted = await takeBack({ workspace: workspaceOf(context), id: ref.id }, who);
    const feedback = voteFeedback(voted);
    if (feedback !== undefined) await answerClick({ body, respond }, feedback);
  };
}

/** A vote by a button or its form, about what the person saw. */
export function castByButton({ ref, moment }: Clicked, by: string, choice: 'yes' | 'no') {
  const { id, seen } = ref;
  return { id, cast: { by, choice, source: BUTTON, added: true, round: seen.round, moment } };
}

/** Tells one person something in a channel where they are. */
export async function tellPrivately(
  client: webApi.WebClient,
  where: { channel: string; user: string; thread_ts?: string },
  text: string,
): Promise<void> {
  await client.chat.postEphemeral({ ...where, ...messageOf(text) });
}
