/** "Say why" in the thread, after a denial by a reaction: asks why, once it is known that this person may. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { readRef } from '../../blocks/ref.ts';
import { type ActionArgs, buttonValue, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { SAY_WHY_TITLE, sayWhyModal } from './decline-modal.ts';
import { reasonText } from './vote-feedback.ts';

export function sayWhyAction({ mayGiveReason, log }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const ref = buttonValue(action);
    const meanwhile = 'Reading the request…';
    const opening = { client, trigger: body.trigger_id, title: SAY_WHY_TITLE, meanwhile, log };
    await openThenFill(opening, async () => {
      const who = { workspace: workspaceOf(context), id: readRef(ref).id, by: body.user.id };
      const may = await mayGiveReason(who);
      return may.type === 'given'
        ? sayWhyModal(ref, may.record)
        : noticeModal(SAY_WHY_TITLE, reasonText(may));
    });
  };
}
