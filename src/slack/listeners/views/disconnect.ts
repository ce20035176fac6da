/** An admin has confirmed that the workspace is to be disconnected. */
import { reportFault } from '../../../fault.ts';
import type { Log } from '../../../requests/ports.ts';
import type { Disconnected } from '../../../workspaces/disconnect.ts';
import { DISCONNECT_TITLE, disconnectedText } from '../../ui/disconnect-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { waitingModal } from '../../ui/waiting-modal.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { slowSubmission } from '../slow-submission.ts';

export function disconnectSubmission({ disconnect, ...deps }: ListenerDeps): Listener<ViewArgs> {
  const modal = { title: DISCONNECT_TITLE, waiting: waitingModal(DISCONNECT_TITLE, 'Disconnecting…') };
  return slowSubmission(modal, deps, async ({ context }) => {
    const workspace = workspaceOf(context);
    const disconnected = await disconnect(workspace);
    const reference = report(deps.log, workspace, disconnected);
    const text = disconnectedText(disconnected, 'slack', reference);
    return { view: noticeModal(DISCONNECT_TITLE, text), text };
  });
}

/** @returns the reference of a fault */
function report(log: Log, workspace: string, disconnected: Disconnected): string | undefined {
  if (disconnected.type !== 'not_revoked') return undefined;
  const { revocation } = disconnected;
  if (revocation.type === 'unknown') return reportFault(log, revocation.error, { workspace, act: 'revoke' });
  log.warn({ workspace, revocation }, 'the token was not revoked');
  return undefined;
}
