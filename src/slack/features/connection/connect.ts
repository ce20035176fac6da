/** `/countermand connect`, the button in the welcome message, and the form. */
import type { types, webApi } from '@slack/bolt';
import type { Log } from '../../../requests/ports/ports.ts';
import { type Connected, tokenProblem } from '../../../workspaces/connection/connect.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { nameGroup } from '../../directory/user-groups.ts';
import { type Invocation, openForAdmin } from '../admin-only.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { notificationsErrors } from '../notifications-channel.ts';
import { slowSubmission } from '../slow-submission.ts';
import { type ConnectForm, type ConnectInput, connectModal, readConnectModal } from './connect-modal.ts';
import { connectedDirectly, formerTokenText, problemOf, warningsOf } from './connect-text.ts';
import { CONNECT_TITLE, checkingModal, connectedModal } from './connected-modal.ts';
import { reportRevocation } from './report-revocation.ts';

const OPENING = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };

/** Fills the form with the present settings, because submitting an empty field removes the setting. */
export async function openConnect(deps: ListenerDeps, args: Invocation): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) =>
    connectModal(await currentForm(deps, args.client, workspace)),
  );
}

async function currentForm(
  deps: ListenerDeps,
  client: webApi.WebClient,
  workspace: string,
): Promise<ConnectForm> {
  const [plan, { requesters, notificationsChannel }] = await Promise.all([
    deps.planConnect(workspace),
    deps.settings(workspace),
  ]);
  const { tokenKind, exclusive, facts } = plan.type === 'again' ? plan : {};
  return {
    reconnect: plan.type === 'again',
    ...(tokenKind ? { tokenKind } : {}),
    ...(exclusive ? { exclusive } : {}),
    // A token that nobody else uses is useless once it is replaced.
    ...(facts ? { facts, revokeFormer: exclusive === true } : {}),
    ...(requesters ? { requesters: await nameGroup(client, workspace, requesters) } : {}),
    ...(notificationsChannel ? { notificationsChannel } : {}),
  };
}

/** The button in the welcome message: does the same as /countermand connect. */
export function connectAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    await openConnect(deps, { client, context, command });
  };
}

/** An admin has filled in the token. */
export function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const read = async ({ view, context }: ViewArgs) => {
    const input = readConnectModal(view.state.values);
    const problem = tokenProblem(input.token);
    const errors = {
      ...(problem ? { [BLOCKS.token]: problemOf(problem) } : {}),
      ...(await notificationsErrors(deps, workspaceOf(context), input.settings.notificationsChannel)),
    };
    return { input, errors };
  };
  const form = { title: CONNECT_TITLE, waiting: checkingModal(), read };
  return slowSubmission(form, deps, async (input, { body, context }) => {
    const workspace = workspaceOf(context);
    const connected = await deps.connect({ ...input, workspace, by: body.user.id });
    const former = formerText(deps.log, workspace, connected);
    const text = [connectedDirectly(connected), ...former].join(' ');
    return { view: outcome(connected, input, former), text };
  });
}

/** Tells the fate of the former token, if it was to be revoked, and logs a failure. */
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
  const { requesters, notificationsChannel } = settings;
  return {
    tokenKind,
    exclusive,
    reconnect,
    ...(revokeFormer === undefined ? {} : { revokeFormer }),
    ...(requesters ? { requesters: { id: requesters, name: requesters } } : {}),
    ...(notificationsChannel ? { notificationsChannel } : {}),
  };
}
