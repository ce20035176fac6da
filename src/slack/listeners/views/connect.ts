/** An admin has filled in the token. */
import type { types } from '@slack/bolt';
import type { Connected } from '../../../workspaces/connect.ts';
import {
  CONNECT_TITLE,
  type ConnectInput,
  checkingModal,
  connectedModal,
  connectModal,
  readConnectModal,
} from '../../ui/connect-modal.ts';
import { connectedDirectly, problemOf, warningsOf } from '../../ui/connect-texts.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';
import { slowSubmission } from '../slow-submission.ts';

export function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const mistakes = ({ view, context }: ViewArgs) => {
    const { settings } = readConnectModal(view.state.values);
    return notificationsErrors(deps, workspaceOf(context), settings.notificationsChannel);
  };
  const form = { title: CONNECT_TITLE, waiting: checkingModal(), mistakes };
  return slowSubmission(form, deps, async ({ body, view, context }) => {
    const input = readConnectModal(view.state.values);
    const workspace = workspaceOf(context);
    const connected = await deps.connect({ ...input, workspace, by: body.user.id });
    return { view: outcome(connected, input), text: connectedDirectly(connected) };
  });
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
