/** What only admins and owners may open and submit. */
import type { types } from '@slack/bolt';
import { noticeModal } from '../blocks/notice-modal.ts';
import { ADMINS_ONLY } from '../blocks/problems.ts';
import {
  type CommandArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import { openThenFill } from './open-modal.ts';

type Deps = Pick<ListenerDeps, 'directory' | 'log'>;

/** Who wants something opened, and what Slack lets it be opened with. */
export type Invocation = Pick<CommandArgs, 'client' | 'context'> & {
  command: Pick<CommandArgs['command'], 'trigger_id' | 'user_id'>;
};

/** Opens a modal at once, and fills it for an admin; anybody else reads whom to ask. */
export async function openForAdmin(
  { directory, log }: Deps,
  { client, command, context }: Invocation,
  { title, meanwhile }: { title: string; meanwhile: string },
  fill: (workspace: string) => Promise<types.ModalView>,
): Promise<void> {
  const workspace = workspaceOf(context);
  await openThenFill({ client, trigger: command.trigger_id, title, meanwhile, log }, async () =>
    (await isAdmin({ directory }, workspace, command.user_id))
      ? fill(workspace)
      : noticeModal(title, ADMINS_ONLY),
  );
}

/** Who was an admin when a modal was opened may not be one when it is submitted. */
export function adminsOnly(title: string, deps: Deps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    if (await isAdmin(deps, workspaceOf(context), body.user.id)) return listener(args);
    return ack({ response_action: 'update', view: noticeModal(title, ADMINS_ONLY) });
  };
}
