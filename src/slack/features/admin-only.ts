/** Modals that only admins and owners may open and submit. */
import type { types } from '@slack/bolt';
import { noticeModal } from '../blocks/modals.ts';
import { ADMINS_ONLY } from '../blocks/problems.ts';
import {
  type CommandArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import { type Opening, openModal } from './views.ts';

type Deps = Pick<ListenerDeps, 'directory' | 'log'>;

/** The person who opens a modal, and the trigger that Slack gives for it. */
export type Invocation = Pick<CommandArgs, 'client' | 'context'> & {
  command: Pick<CommandArgs['command'], 'trigger_id' | 'user_id'>;
};

/** Opens a modal at once, and fills it for an admin; for anybody else it names whom to ask. */
export async function openForAdmin(
  { directory, log }: Deps,
  { client, command, context }: Invocation,
  opening: Pick<Opening, 'title' | 'meanwhile' | 'onTop'>,
  fill: (workspace: string) => Promise<types.ModalView>,
): Promise<void> {
  const workspace = workspaceOf(context);
  await openModal({ client, triggerId: command.trigger_id, ...opening, log }, async () =>
    (await isAdmin({ directory }, workspace, command.user_id))
      ? fill(workspace)
      : noticeModal(opening.title, ADMINS_ONLY),
  );
}

/** Checks again at the submission: the person may not be an admin any more. */
export function adminsOnly(title: string, deps: Deps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    if (await isAdmin(deps, workspaceOf(context), body.user.id)) return listener(args);
    return ack({ response_action: 'update', view: noticeModal(title, ADMINS_ONLY) });
  };
}
