/** Lists the sub-brands of a workspace. */
import type { types } from '@slack/bolt';
import { reportFault } from '../../../fault.ts';
import { noticeModal, waitingModal } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS, COMMANDS } from '../../blocks/ids.ts';
import { barrierSentence } from '../../blocks/problems.ts';
import { failureSentence } from '../answers.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { byCommand, type Filling, openModal, replaceView } from '../views.ts';
import {
  readSubBrandsPage,
  readSubBrandsSearch,
  SUB_BRANDS_TITLE,
  type SubBrandsPage,
  subBrandsModal,
} from './modal.ts';

export const subBrands: Feature = (deps) => ({
  commands: {
    [COMMANDS.subBrands]: {
      usage: '[text]',
      meaning: 'lists the sub-brands of your organization.',
      listener: subBrandsCommand(deps),
    },
  },
  views: { [CALLBACKS.subBrands]: subBrandsSearch(deps) },
  actions: {
    [ACTIONS.subBrandsPrevious]: subBrandsPageAction(-1, deps),
    [ACTIONS.subBrandsNext]: subBrandsPageAction(1, deps),
  },
});

type SubBrandsDeps = Pick<ListenerDeps, 'subBrands' | 'checkRequester' | 'settings' | 'log' | 'after'>;

const OPENING = { title: SUB_BRANDS_TITLE, meanwhile: 'Asking the order service…' };

/** /sub-brands [text]: the list opens at once, loading, and fills. */
function subBrandsCommand(deps: ListenerDeps): Listener<CommandArgs> {
  return async (args) => {
    const opener = byCommand(args);
    const who = { workspace: opener.workspace, requester: opener.user };
    const text = args.command.text?.trim() ?? '';
    await openModal(deps, opener, OPENING, () => listFor(deps, who, { text, page: 0 }));
  };
}

/** Searches the sub-brands. Slack waits 3 s, the service may take longer: then the list comes a little later. */
function subBrandsSearch(deps: ListenerDeps): Listener<ViewArgs> {
  return async ({ ack, body, client, context, view }) => {
    const who = { workspace: workspaceOf(context), requester: body.user.id };
    const text = readSubBrandsSearch(view);
    await ack({ response_action: 'update', view: waitingModal(SUB_BRANDS_TITLE, 'Searching…') });
    const found = await subBrandsView(deps, who, { text, page: 0 });
    await replaceView(client, { id: view.id }, found);
  };
}

/** @param by how many pages: 1 or -1 */
function subBrandsPageAction(by: 1 | -1, deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), requester: body.user.id };
    const { text, page } = readSubBrandsPage(body.view?.private_metadata ?? '');
    const shown = { text, page: Math.max(0, page + by) };
    // With the view's hash: a page of what was shown must not cover what was searched for meanwhile.
    await replaceView(client, body.view, await subBrandsView(deps, who, shown));
  };
}

type Who = { workspace: string; requester: string };

/** Builds the modal that replaces another one. A failure is told in it: a modal that waits must not wait for ever. */
async function subBrandsView(deps: SubBrandsDeps, who: Who, shown: SubBrandsPage): Promise<types.ModalView> {
  const list = await listFor(deps, who, shown).catch((error) => ({
    refused: failureSentence(deps.log, error, { modal: SUB_BRANDS_TITLE }),
  }));
  return 'refused' in list ? noticeModal(SUB_BRANDS_TITLE, list.refused) : list;
}

/** The list, for those who may make requests. */
async function listFor(
  { subBrands, checkRequester, settings, log }: SubBrandsDeps,
  { workspace, requester }: Who,
  shown: SubBrandsPage,
): Promise<Filling> {
  const barrier = await checkRequester({ workspace, requester, settings: await settings(workspace) });
  if (barrier) return { refused: barrierSentence(barrier) };
  const found = await subBrands(workspace);
  if (!('error' in found)) return subBrandsModal(found, shown);
  const reference = reportFault(log, found.error, { workspace, modal: SUB_BRANDS_TITLE });
  return subBrandsModal({ type: found.type, reference }, shown);
}
