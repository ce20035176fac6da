/** "Deny" on a card: asks why, once it is known that this person may. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { DENY_TITLE, denyModal } from './decline-modal.ts';
import { votedText } from './vote-feedback.ts';
import { castByButton } from './voting.ts';

export function denyAction({ mayVote, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const ref = buttonValue(action);
    const { id, cast } = castByButton(ref, body.user.id, 'no');
    const meanwhile = 'Reading the request…';
    const opening = { client, trigger: body.trigger_id, title: DENY_TITLE, meanwhile, log };
    await openThenFill(opening, async () => {
      const voted = await mayVote({ workspace: workspaceOf(context), id }, cast);
      if (voted.type !== 'counted') return noticeModal(DENY_TITLE, votedText(voted));
      return denyModal(ref, voted.record);
    });
  };
}
