/** "Decline" on a card: opens the form for the person who may. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openModal } from '../open-modal.ts';
import { DECLINE_TITLE, declineModal } from './decline-modal.ts';
import { voteFeedback } from './vote-feedback.ts';
import { castByButton } from './voting.ts';

export function declineAction({ mayVote, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const ref = buttonValue(action);
    const { id, cast } = castByButton(ref, body.user.id, 'no');
    const meanwhile = 'Loading the request…';
    const opening = { client, triggerId: body.trigger_id, title: DECLINE_TITLE, meanwhile, log };
    await openModal(opening, async () => {
      const voted = await mayVote({ workspace: workspaceOf(context), id }, cast);
      if (voted.type !== 'counted') return noticeModal(DECLINE_TITLE, voteFeedback(voted));
      return declineModal(ref, voted.record);
    });
  };
}
