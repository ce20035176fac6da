/** Modals that only admins and owners may open and submit. */
import { administratorsOf } from '../../requests/use-cases/rules.ts';
import { adminsOnlyText } from '../blocks/problems.ts';
import { notice } from './answers.ts';
import {
  type CommandArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import { type Filling, type Opening, type OpeningDeps, openModal } from './views.ts';

type Deps = Pick<ListenerDeps, 'directory' | 'settings'>;

/** The person who opens a modal, and the trigger that Slack gives for it. `ack`: of a command. */
export type Invocation = Pick<CommandArgs, 'client' | 'context'> & {
  command: Pick<CommandArgs['command'], 'trigger_id' | 'user_id'>;
  ack?: CommandArgs['ack'];
};

/** Opens a modal for an admin; anybody else reads whom to ask. */
export async function openForAdmin(
  deps: Deps & OpeningDeps,
  { client, command, context, ack }: Invocation,
  opening: Pick<Opening, 'title' | 'meanwhile' | 'onTop' | 'onHome'>,
  fill: (workspace: string) => Promise<Filling>,
): Promise<void> {
  const workspace = workspaceOf(context);
  const triggerId = command.trigger_id;
  await openModal(deps, { client, triggerId, ...opening, ...(ack && { ack }) }, async () =>
    (await isAdmin(deps, workspace, command.user_id))
      ? fill(workspace)
      : { refused: await adminsOnlyFor(deps, workspace) },
  );
}

/** Checks again at the submission: the person may not be an admin any more. */
export function adminsOnly(title: string, deps: Deps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    const workspace = workspaceOf(context);
    if (await isAdmin(deps, workspace, body.user.id)) return listener(args);
    return ack(notice(title, await adminsOnlyFor(deps, workspace)));
  };
}

/** The refusal for everybody else, which names whom to ask. */
export const adminsOnlyFor = async (
  deps: Pick<ListenerDeps, 'directory' | 'settings'>,
  workspace: string,
): Promise<string> => adminsOnlyText(await administratorsOf(deps, workspace));
