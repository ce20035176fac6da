/** /sub-brands [text]: the list opens at once, loading, and fills. */

import { noticeModal } from '../../blocks/notice-modal.ts';
import { barrierSentence } from '../../blocks/problems.ts';
import { type CommandArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { openThenFill } from '../open-modal.ts';
import { SUB_BRANDS_TITLE } from './modal.ts';
import { subBrandsView } from './view.ts';

export function subBrandsCommand(deps: ListenerDeps): Listener<CommandArgs> {
  const { whetherMayAsk, log } = deps;
  return async ({ ack, client, command, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const trigger = command.trigger_id;
    const opening = { client, trigger, title: SUB_BRANDS_TITLE, meanwhile: 'Asking the order service…', log };
    await openThenFill(opening, async () => {
      const barrier = await whetherMayAsk({ workspace, asker: command.user_id });
      if (barrier) return noticeModal(SUB_BRANDS_TITLE, barrierSentence(barrier));
      return subBrandsView(deps, workspace, { text: command.text?.trim() ?? '', page: 0 });
    });
  };
}
