/** Modals that only admins and owners may open and submit. */
import type { types } from '@slack/bolt';
import { administratorsOf } from '../../requests/use-cases/rules.ts';
import { noticeModal } from '../blocks/forms.ts';
import { adminsOnlyText } from '../blocks/problems.ts';
import {
  type CommandArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import { type Opening, openModal } from './views.ts';

type Deps = Pick<ListenerDeps, 'directory' | 'settings' | 'log'>;

/** The person who opens a modal, and the trigger that Slack gives for it. */
export type Invocation = Pick<CommandArgs, 'client' | 'context'> & {
  command: Pick<CommandArgs['command'], 'trigger_id' | 'user_id'>;
};

/** Opens a modal at once, and fills it for an admin; for anybody else it names whom to ask. */
export async function openForAdmin(
  deps: Deps,
  { client, command, context }: Invocation,
  opening: Pick<Opening, 'title' | 'meanwhile' | 'onTop' | 'onHome'>,
  fill: (workspace: string) => Promise<types.ModalView>,
): Promise<void> {
  const workspace = workspaceOf(context);
  await openModal({ client, triggerId: command.trigger_id, ...opening, log: deps.log }, async () =>
    (await isAdmin(deps, workspace, command.user_id))
      ? fill(workspace)
      : noticeModal(opening.title, await adminsOnlyFor(deps, workspace)),
  );
}

/** Checks again at the submission: the person may not be an admin any more. */
export function adminsOnly(title: string, deps: Deps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    const workspace = workspaceOf(context);
    if (await isAdmin(deps, workspace, body.user.id)) return listener(args);
    const text = await adminsOnlyFor(deps, workspace);
    return ack({ response_action: 'update', view: noticeModal(title, text) });
  };
}

/** The refusal for everybody else, which names whom to ask. */
export const adminsOnlyFor = async (
  deps: Pick<ListenerDeps, 'directory' | 'settings'>,
  workspace: string,
): Promise<string> => adminsOnlyText(await administratorsOf(deps, workspace));
