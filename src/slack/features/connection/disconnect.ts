/** `/countermand disconnect` and its form. */

import { noticeModal, waitingModal } from '../../blocks/forms.ts';
import { openForAdmin } from '../admin-only.ts';
import {
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { slowSubmission } from '../slow-submission.ts';
import { DISCONNECT_FORM, DISCONNECT_TITLE, disconnectedText, disconnectModal } from './disconnect-modal.ts';
import { reportRevocation } from './report-revocation.ts';

const OPENING = { title: DISCONNECT_TITLE, meanwhile: 'Loading the connection…' };

export async function openDisconnect(deps: ListenerDeps, args: CommandArgs): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) =>
    disconnectModal(await deps.planDisconnect(workspace)),
  );
}

/** An admin has confirmed that the workspace is to be disconnected. */
export function disconnectSubmission({ disconnect, ...deps }: ListenerDeps): Listener<ViewArgs> {
  const form = {
    title: DISCONNECT_TITLE,
    waiting: waitingModal(DISCONNECT_TITLE, 'Disconnecting…'),
    read: async ({ body, context, view }: ViewArgs) => ({
      input: { workspace: workspaceOf(context), by: body.user.id, ...DISCONNECT_FORM.read(view).about },
    }),
  };
  return slowSubmission(form, deps, async ({ workspace, by, shown }) => {
    const disconnected = await disconnect(workspace, by, shown);
    const { type } = disconnected;
    const reference =
      type === 'not_revoked' ? reportRevocation(deps.log, workspace, disconnected.revocation) : undefined;
    const text = disconnectedText(disconnected, 'slack', reference);
    return { view: noticeModal(DISCONNECT_TITLE, text), text };
  });
}
