/** An admin has filled in the token. */
import type { types } from '@slack/bolt';
import type { Log } from '../../../requests/ports/ports.ts';
import { type Connected, tokenProblem } from '../../../workspaces/connection/connect.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';
import { slowSubmission } from '../slow-submission.ts';
import {
  CONNECT_TITLE,
  type ConnectInput,
  checkingModal,
  connectedModal,
  connectModal,
  readConnectModal,
} from './connect-modal.ts';
import { connectedDirectly, problemOf, warningsOf } from './connect-text.ts';
import { formerTokenText } from './former-token.ts';
import { reportRevocation } from './report-revocation.ts';

export function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const mistakes = async ({ view, context }: ViewArgs) => {
    const { token, settings } = readConnectModal(view.state.values);
    const problem = tokenProblem(token);
    return {
      ...(problem ? { [BLOCKS.token]: problemOf(problem) } : {}),
      ...(await notificationsErrors(deps, workspaceOf(context), settings.notificationsChannel)),
    };
  };
  const form = { title: CONNECT_TITLE, waiting: checkingModal(), mistakes };
  return slowSubmission(form, deps, async ({ body, view, context }) => {
    const input = readConnectModal(view.state.values);
    const workspace = workspaceOf(context);
    const connected = await deps.connect({ ...input, workspace, by: body.user.id });
    const former = formerText(deps.log, workspace, connected);
    const text = [connectedDirectly(connected), ...former].join(' ');
    return { view: outcome(connected, input, former), text };
  });
}

/** What became of the former token, if anything was to; what went wrong gets into the log. */
function formerText(log: Log, workspace: string, connected: Connected): string[] {
  const former = connected.type === 'connected' ? connected.former : undefined;
  return former ? [formerTokenText(former, reportRevocation(log, workspace, former))] : [];
}

function outcome(connected: Connected, input: ConnectInput, former: string[]): types.ModalView {
  if (connected.type !== 'connected')
    return connectModal({ ...formOf(input), problem: problemOf(connected.type) });
  const { eventsUrl, secret, doubt } = connected;
  return connectedModal({ eventsUrl, secret, former, warnings: warningsOf(input.tokenKind, doubt) });
}

/** The form once more, with what was chosen; only the token has to be pasted again. */
function formOf({ settings, tokenKind, exclusive, reconnect, revokeFormer }: ConnectInput) {
  const { askers, notificationsChannel } = settings;
  return {
    tokenKind,
    exclusive,
    reconnect,
    ...(revokeFormer === undefined ? {} : { revokeFormer }),
    ...(askers ? { askers: { id: askers, name: askers } } : {}),
    ...(notificationsChannel ? { notificationsChannel } : {}),
  };
}
