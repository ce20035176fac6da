/** An admin has confirmed that the workspace is to be disconnected. */
import { DISCONNECT_TITLE, disconnectedText } from '../../ui/disconnect-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { waitingModal } from '../../ui/waiting-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { reportRevocation } from '../report-revocation.ts';
import { slowSubmission } from '../slow-submission.ts';

export function disconnectSubmission({ disconnect, ...deps }: ListenerDeps): Listener<ViewArgs> {
  const modal = { title: DISCONNECT_TITLE, waiting: waitingModal(DISCONNECT_TITLE, 'Disconnecting…') };
  return slowSubmission(modal, deps, async ({ context }) => {
    const workspace = workspaceOf(context);
    const disconnected = await disconnect(workspace);
    const { type } = disconnected;
    const reference =
      type === 'not_revoked' ? reportRevocation(deps.log, workspace, disconnected.revocation) : undefined;
    const text = disconnectedText(disconnected, 'slack', reference);
    return { view: noticeModal(DISCONNECT_TITLE, text), text };
  });
}
