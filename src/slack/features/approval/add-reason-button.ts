/** "Add a reason", after a request was declined by a reaction: opens the form for the person who may. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openModal } from '../open-modal.ts';
import { ADD_REASON_TITLE, addReasonModal } from './decline-modal.ts';
import { reasonText } from './vote-feedback.ts';

export function addReasonAction({ mayGiveReason, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const ref = buttonValue(action);
    const meanwhile = 'Loading the request…';
    const opening = { client, triggerId: body.trigger_id, title: ADD_REASON_TITLE, meanwhile, log };
    await openModal(opening, async () => {
      const who = { workspace: workspaceOf(context), id: readRef(ref).id, by: body.user.id };
      const may = await mayGiveReason(who);
      return may.type === 'given'
        ? addReasonModal(ref, may.record)
        : noticeModal(ADD_REASON_TITLE, reasonText(may));
    });
  };
}
