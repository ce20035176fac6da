/** The form in which an approver declines a request. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { DECLINE_TITLE, readReason } from './decline-modal.ts';
import { voteFeedback } from './vote-feedback.ts';
import { castByButton } from './voting.ts';

export function declineSubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { id, cast } = castByButton(view.private_metadata, body.user.id, 'no');
    const reason = readReason(view.state.values);
    const voted = await vote({ workspace: workspaceOf(context), id }, { ...cast, reason });
    if (voted.type === 'counted') return ack();
    return ack({ response_action: 'update', view: noticeModal(DECLINE_TITLE, voteFeedback(voted)) });
  };
}
