/** The button "Add a reason", after a request was declined by a reaction, and its form. */

import { BLOCKS } from '../../blocks/ids.ts';
import { noticeModal } from '../../blocks/modals.ts';
import { readRef } from '../../blocks/ref.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { requestFormAction } from '../views.ts';
import { ADD_REASON_TITLE, addReasonModal, readReason } from './decline-modal.ts';
import { reasonText } from './vote-feedback.ts';

/** "Add a reason", after a request was declined by a reaction: opens the form for the person who may. */
export function addReasonAction({ mayGiveReason, log }: ListenerDeps): Listener<ActionArgs> {
  return requestFormAction({ title: ADD_REASON_TITLE, log }, async (ref, who) => {
    const may = await mayGiveReason(who);
    return may.type === 'given'
      ? addReasonModal(ref, may.record)
      : noticeModal(ADD_REASON_TITLE, reasonText(may));
  });
}

/** The form in which an approver who declined by a reaction adds a reason. */
export function addReasonSubmission({ giveReason }: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, view, context }) => {
    const { id } = readRef(view.private_metadata);
    const reason = readReason(view.state.values);
    if (!reason) return ack({ response_action: 'errors', errors: { [BLOCKS.reason]: 'Write a reason.' } });
    const given = await giveReason({ workspace: workspaceOf(context), id, by: body.user.id, reason });
    if (given.type === 'given') return ack();
    return ack({ response_action: 'update', view: noticeModal(ADD_REASON_TITLE, reasonText(given)) });
  };
}
