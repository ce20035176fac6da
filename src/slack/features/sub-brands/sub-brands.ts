/** `/sub-brands [text]`: the list, its search and its pages. */

import type { types } from '@slack/bolt';
import { reportFault } from '../../../fault.ts';
import { noticeModal, waitingModal } from '../../blocks/modals.ts';
import { barrierSentence } from '../../blocks/problems.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { openModal, replaceView } from '../views.ts';
import {
  readSubBrandsPage,
  readSubBrandsSearch,
  SUB_BRANDS_TITLE,
  type SubBrandsPage,
  subBrandsModal,
} from './modal.ts';

/** /sub-brands [text]: the list opens at once, loading, and fills. */
export function subBrandsCommand(deps: ListenerDeps): Listener<CommandArgs> {
  const { checkRequester, settings, log } = deps;
  return async ({ ack, client, command, context }) => {
    await ack();
    const workspace = workspaceOf(context);
    const triggerId = command.trigger_id;
    const opening = {
      client,
      triggerId,
      title: SUB_BRANDS_TITLE,
      meanwhile: 'Asking the order service…',
      log,
    };
    await openModal(opening, async () => {
      const requester = command.user_id;
      const barrier = await checkRequester({ workspace, requester, settings: await settings(workspace) });
      if (barrier) return noticeModal(SUB_BRANDS_TITLE, barrierSentence(barrier));
      return subBrandsView(deps, workspace, { text: command.text?.trim() ?? '', page: 0 });
    });
  };
}

/** Searches the sub-brands. Slack waits 3 s, the service may take longer: then the list comes a little later. */
export function subBrandsSearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, client, context, view }) => {
    const text = readSubBrandsSearch(view.state.values);
    await ack({ response_action: 'update', view: waitingModal(SUB_BRANDS_TITLE, 'Searching…') });
    const found = await subBrandsView(deps, workspaceOf(context), { text, page: 0 });
    await replaceView(client, { id: view.id }, found);
  };
}

/** @param by how many pages: 1 or -1 */
export function subBrandsPageAction(by: 1 | -1, deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { text, page } = readSubBrandsPage(body.view?.private_metadata ?? '');
    const shown = { text, page: Math.max(0, page + by) };
    // With the view's hash: a page of what was shown must not cover what was searched for meanwhile.
    await replaceView(client, body.view, await subBrandsView(deps, workspaceOf(context), shown));
  };
}

/** Builds the modal for all routes of this feature, and logs a fault. */
export async function subBrandsView(
  { subBrands, log }: Pick<ListenerDeps, 'subBrands' | 'log'>,
  workspace: string,
  shown: SubBrandsPage,
): Promise<types.ModalView> {
  const found = await subBrands(workspace);
  if (!('error' in found)) return subBrandsModal(found, shown);
  const reference = reportFault(log, found.error, { workspace, modal: SUB_BRANDS_TITLE });
  return subBrandsModal({ type: found.type, reference }, shown);
}
