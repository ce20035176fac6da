/** An admin has confirmed that the workspace is to be disconnected. */
import { tellDirectly } from '../../direct-message.ts';
import { DISCONNECT_TITLE, disconnectedText } from '../../ui/disconnect-modal.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { waitingModal } from '../../ui/waiting-modal.ts';
import { replaceView } from '../../views.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function disconnectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(DISCONNECT_TITLE, deps, async ({ ack, body, view, client, context }) => {
    await ack({ response_action: 'update', view: waitingModal(DISCONNECT_TITLE, 'Disconnecting…') });
    const text = disconnectedText(await deps.disconnect(workspaceOf(context)));
    const shown = await replaceView(client, { id: view.id }, noticeModal(DISCONNECT_TITLE, text));
    if (!shown) await tellDirectly(client, body.user.id, text);
  });
}
