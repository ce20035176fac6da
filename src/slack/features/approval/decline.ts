/** The button "Decline" and its form. */
import { noticeModal } from '../../blocks/modals.ts';
import {
  type ActionArgs,
  buttonValue,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { openModal } from '../modals.ts';
import { DECLINE_TITLE, declineModal, readReason } from './decline-modal.ts';
import { voteFeedback } from './vote-feedback.ts';
import { castByButton } from './votes.ts';

/** "Decline" on a card: opens the form for the person who may. */
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

/** The form in which an approver declines a request. */
export function declineSubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { id, cast } = castByButton(view.private_metadata, body.user.id, 'no');
    const reason = readReason(view.state.values);
    const voted = await vote({ workspace: workspaceOf(context), id }, { ...cast, reason });
    if (voted.type === 'counted') return ack();
    return ack({ response_action: 'update', view: noticeModal(DECLINE_TITLE, voteFeedback(voted)) });
  };
}
