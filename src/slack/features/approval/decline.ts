/** An approver has denied a request with the button. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { DENY_TITLE, readReason } from './decline-modal.ts';
import { votedText } from './vote-feedback.ts';
import { castByButton } from './voting.ts';

export function denySubmission({ vote }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { id, cast } = castByButton(view.private_metadata, body.user.id, 'no');
    const reason = readReason(view.state.values);
    const voted = await vote({ workspace: workspaceOf(context), id }, { ...cast, reason });
    if (voted.type === 'counted') return ack();
    return ack({ response_action: 'update', view: noticeModal(DENY_TITLE, votedText(voted)) });
  };
}
