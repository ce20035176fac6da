/** `/countermand history`: the latest requests, with filters, page by page. */

import { personSentence } from '../../blocks/problems.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listener.ts';
import { openModal, replaceView } from '../views.ts';
import { HISTORY_TITLE, historyModal, readHistoryCursor, readHistoryFilter } from './modal.ts';

/** /countermand history: the latest requests, page by page. */
export async function openHistory(
  deps: ListenerDeps,
  { ack, client, command, context }: CommandArgs,
): Promise<void> {
  const triggerId = command.trigger_id;
  const opening = {
    ack,
    client,
    triggerId,
    title: HISTORY_TITLE,
    meanwhile: 'Loading the requests…',
  };
  const question = { workspace: workspaceOf(context), user: command.user_id, filter: {} };
  await openModal(deps, opening, async () => {
    const [page, addresses] = await Promise.all([
      deps.readHistory(question),
      deps.settings(question.workspace),
    ]);
    return page.type === 'not_allowed'
      ? { refused: personSentence(page.problem) }
      : historyModal(page, {}, addresses);
  });
}

/** @param turn `older`: the page after the one that is shown; `newest`: the first one */
export function historyAction(
  turn: 'older' | 'newest',
  { readHistory, settings }: ListenerDeps,
): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    const filter = readHistoryFilter(view?.state.values);
    const before = turn === 'older' ? readHistoryCursor(view?.private_metadata ?? '') : undefined;
    const workspace = workspaceOf(context);
    const [page, addresses] = await Promise.all([
      readHistory({ workspace, user: body.user.id, filter, before }),
      settings(workspace),
    ]);
    // Without the hash: of two clicks in a row the later one counts, though the first has changed the view meanwhile.
    await replaceView(client, { id: view?.id }, historyModal(page, filter, addresses));
  };
}
