/** Somebody chooses a filter of the history, or turns its pages. */

import { type ActionArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { replaceView } from '../views.ts';
import { historyModal, readHistoryCursor, readHistoryFilter } from './modal.ts';

/** @param turn `older`: the page after the one that is shown; `newest`: the first one */
export function historyAction(turn: 'older' | 'newest', { readHistory }: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    const filter = readHistoryFilter(view?.state.values);
    const before = turn === 'older' ? readHistoryCursor(view?.private_metadata ?? '') : undefined;
    const page = await readHistory({ workspace: workspaceOf(context), user: body.user.id, filter, before });
    // Without the hash: of two clicks in a row the later one counts, though the first has changed the view meanwhile.
    await replaceView(client, { id: view?.id }, historyModal(page, filter));
  };
}
