/** /sub-brands [text]: the list opens at once, loading, and fills. */
import { openThenFill } from '../../opening.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { barrierSentence } from '../../ui/problems.ts';
import { SUB_BRANDS_TITLE, subBrandsModal } from '../../ui/sub-brands-modal.ts';
import { type CommandArgs, type Listener, type ListenerDeps, workspaceOf } from '../listener.ts';

export function subBrandsCommand({ whetherMayAsk, subBrands, log }: ListenerDeps): Listener<CommandArgs> {
  return async ({ ack, client, command, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const trigger = command.trigger_id;
    const opening = { client, trigger, title: SUB_BRANDS_TITLE, meanwhile: 'Asking the order service…', log };
    await openThenFill(opening, async () => {
      const barrier = await whetherMayAsk({ workspace, asker: command.user_id });
      if (barrier) return noticeModal(SUB_BRANDS_TITLE, barrierSentence(barrier));
      return subBrandsModal(await subBrands(workspace), { text: command.text?.trim() ?? '', page: 0 });
    });
  };
}
