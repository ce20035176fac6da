/** Whoever denied a request by a reaction has said why. */
import { BLOCKS } from '../../ids.ts';
import { readReason, SAY_WHY_TITLE } from '../../ui/deny-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { readRef } from '../../ui/ref.ts';
import { reasonText } from '../../ui/voted.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function sayWhySubmission({ giveReason }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { id } = readRef(view.private_metadata);
    const reason = readReason(view.state.values);
    if (!reason) return ack({ response_action: 'errors', errors: { [BLOCKS.reason]: 'Write a reason.' } });
    const given = await giveReason({ workspace: workspaceOf(context), id, by: body.user.id, reason });
    if (given.type === 'given') return ack();
    return ack({ response_action: 'update', view: noticeModal(SAY_WHY_TITLE, reasonText(given)) });
  };
}
