/** The button "Decline" and its form. */
import { noticeModal } from '../../blocks/modals.ts';
import { readRef, readWithMoment, withMoment } from '../../blocks/ref.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { requestFormAction } from '../views.ts';
import { DECLINE_TITLE, declineModal, readReason } from './decline-modal.ts';
import { voteFeedback } from './vote-feedback.ts';
import { castByButton } from './votes.ts';

/** "Decline" on a card: opens the form for the person who may. */
export function declineAction({ mayVote, log }: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction({ title: DECLINE_TITLE, log }, async (ref, { workspace, by }, moment) => {
    const { id, cast } = castByButton(readRef(ref), by, 'no', moment);
    const voted = await mayVote({ workspace, id }, cast);
    if (voted.type !== 'counted') return noticeModal(DECLINE_TITLE, voteFeedback(voted));
    return declineModal(withMoment(ref, moment), voted.record);
  });
}

/** The form in which an approver declines a request. */
export function declineSubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { ref, moment } = readWithMoment(view.private_metadata);
    const { id, cast } = castByButton(ref, body.user.id, 'no', moment);
    const reason = readReason(view.state.values);
    const voted = await vote({ workspace: workspaceOf(context), id }, { ...cast, isForm: true, reason });
    if (voted.type === 'counted') return ack();
    return ack({ response_action: 'update', view: noticeModal(DECLINE_TITLE, voteFeedback(voted)) });
  };
}
