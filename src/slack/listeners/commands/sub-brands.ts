/** /sub-brands [text]: the list opens at once, loading, and fills. */
import { openThenFill } from '../../opening.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { barrierSentence } from '../../ui/problems.ts';
import { SUB_BRANDS_TITLE } from '../../ui/sub-brands-modal.ts';
import { type CommandArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';
import { subBrandsView } from '../sub-brands-view.ts';

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
