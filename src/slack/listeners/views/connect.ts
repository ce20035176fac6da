/** An admin has filled in the token. Slack waits 3 s, the order service may take longer: the modal waits in between. */
import type { types, webApi } from '@slack/bolt';
import type { Connected } from '../../../workspaces/connect.ts';
import { tellDirectly } from '../../direct-message.ts';
import {
  CONNECT_TITLE,
  type ConnectInput,
  checkingModal,
  connectedModal,
  connectModal,
  readConnectModal,
} from '../../ui/connect-modal.ts';
import { connectedDirectly, problemOf, warningsOf } from '../../ui/connect-texts.ts';
import { replaceView } from '../../views.ts';
import { adminsOnly } from '../admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';

export function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  /** Slack delivers a submission again when its answer was late: it must not connect twice. */
  const underWay = new Set<string>();
  return adminsOnly(CONNECT_TITLE, deps, async ({ ack, body, view, client, context }) => {
    await ack({ response_action: 'update', view: checkingModal() });
    if (underWay.has(view.id)) return;
    underWay.add(view.id);
    try {
      const input = readConnectModal(view.state.values);
      const by = body.user.id;
      const connected = await deps.connect({ ...input, workspace: workspaceOf(context), by });
      await show(deps, client, { view: view.id, by }, connected, input);
    } finally {
      underWay.delete(view.id);
    }
  });
}

/** In the modal or, where it was closed meanwhile, in a direct message: without the secret, which only a modal shows. */
async function show(
  { log }: ListenerDeps,
  client: webApi.WebClient,
  { view, by }: { view: string; by: string },
  connected: Connected,
  input: ConnectInput,
): Promise<void> {
  const shown = await replaceView(client, { id: view }, outcome(connected, input)).catch((error) => {
    log.warn({ err: error }, 'the outcome of connect could not be shown in its modal');
    return false;
  });
  if (!shown) await tellDirectly(client, by, connectedDirectly(connected));
}

function outcome(connected: Connected, input: ConnectInput): types.ModalView {
  if (connected.type !== 'connected')
    return connectModal({ ...formOf(input), problem: problemOf(connected.type) });
  const { eventsUrl, secret, doubt } = connected;
  return connectedModal({ eventsUrl, secret, warnings: warningsOf(input.tokenKind, doubt) });
}

/** The form once more, with what was chosen; only the token has to be pasted again. */
function formOf({ settings, tokenKind, exclusive, reconnect }: ConnectInput) {
  const { askers, notificationsChannel } = settings;
  return {
    tokenKind,
    exclusive,
    reconnect,
    ...(askers ? { askers: { id: askers, name: askers } } : {}),
    ...(notificationsChannel ? { notificationsChannel } : {}),
  };
}
