/** Votes by button, and what tells a person that their vote changed nothing. Votes by reaction are in index.ts. */
import type { webApi } from '@slack/bolt';
import { BUTTON } from '../../../requests/model/approvals/votes.ts';
import { currentStep, type RequestRecord } from '../../../requests/model/record.ts';
import type { Voted } from '../../../requests/use-cases/approvals/vote.ts';
import type { Clicked } from '../../blocks/forms.ts';
import { ONCE_RESUMED, whoPaused } from '../../blocks/problems.ts';
import { mentions, textMessage } from '../../blocks/text.ts';
import { approvedAgainText, refusedText } from '../../messages/sentences/approval-texts.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { answerClick } from '../answers.ts';
import { type ActionArgs, clickOn, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

/** @returns undefined if the message that is voted on tells it all */
export function voteFeedback(voted: Exclude<Voted, { type: 'counted' }>): string;
export function voteFeedback(voted: Voted): string | undefined;
export function voteFeedback(voted: Voted): string | undefined {
  switch (voted.type) {
    case 'counted':
      return voted.again && approvedAgainText(voted.record);
    case 'not_found':
      return 'I cannot find this request. Nothing was changed.';
    case 'refused':
      return refusedText(voted.problem, voted.policy, voted.approvals);
    case 'paused':
      return `*Vote not counted*, because ${whoPaused(voted.pause)}. ${again(voted.source)} ${ONCE_RESUMED}.`;
    case 'no_vote':
      return 'You have not voted with a button here, so nothing was changed. To take back a reaction, remove it from the message.';
    case 'too_late':
      return `*Vote not counted*, because the request no longer waits for this approval. ${how(voted.record)}`;
  }
}

/** A reaction that stands already can't be added a second time. */
const again = (source: string): string =>
  source === BUTTON ? 'Vote again' : 'Remove your reaction, and react again';

/** Names who decided, and the state now; a sentence about a decision names them already. */
function how(record: RequestRecord): string {
  const { decision } = record.approval ?? {};
  const step = currentStep(record);
  const now = sentence(record, step);
  const isTold = decision?.choice !== 'yes' || step.cause.type === 'decision';
  return isTold ? now : `${mentions(decision.by)} approved the request before. ${now}`;
}

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
  await client.chat.postEphemeral({ ...where, ...textMessage(text) });
}
