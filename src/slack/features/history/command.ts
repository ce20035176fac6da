/** /countermand history: the latest requests, page by page. */

import { type CommandArgs, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { HISTORY_TITLE, historyModal } from './modal.ts';

export async function openHistory(
  deps: ListenerDeps,
  { client, command, context }: CommandArgs,
): Promise<void> {
  const trigger = command.trigger_id;
  const opening = {
    client,
    trigger,
    title: HISTORY_TITLE,
    meanwhile: 'Reading the requests…',
    log: deps.log,
  };
  const question = { workspace: workspaceOf(context), user: command.user_id, filter: {} };
  await openThenFill(opening, async () => historyModal(await deps.readHistory(question), {}));
}
