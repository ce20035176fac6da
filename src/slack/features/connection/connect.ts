/** `/countermand connect`, the button in the welcome message, and the form. */
import type { types } from '@slack/bolt';
import type { Log } from '../../../outbox/ports.ts';
import { type Connected, tokenProblem } from '../../../workspaces/connection/connect.ts';
import { BLOCKS } from '../../blocks/ids.ts';
import { type Invocation, openForAdmin } from '../admin-only.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { slowSubmission } from '../slow-submission.ts';
import { type ConnectForm, type ConnectInput, connectModal, readConnectModal } from './connect-modal.ts';
import { connectedDirectly, formerTokenText, problemOf, warningsOf } from './connect-text.ts';
import { CONNECT_TITLE, checkingModal, connectedModal } from './connected-modal.ts';
import { reportRevocation } from './report-revocation.ts';

const OPENING = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };

export async function openConnect(deps: ListenerDeps, args: Invocation): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) =>
    connectModal(await currentForm(deps, workspace)),
  );
}

async function currentForm({ planConnect }: ListenerDeps, workspace: string): Promise<ConnectForm> {
  const plan = await planConnect(workspace);
  const { tokenKind, exclusive, facts } = plan.type === 'again' ? plan : {};
  return {
    reconnect: plan.type === 'again',
    ...(tokenKind ? { tokenKind } : {}),
    ...(exclusive ? { exclusive } : {}),
    // A revoked token can't be had back, so nothing is revoked unless somebody chooses it.
    ...(facts ? { facts, revokeFormer: false } : {}),
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
  const read = async ({ view }: ViewArgs) => {
    const input = readConnectModal(view.state.values);
    const problem = tokenProblem(input.token);
    return { input, errors: problem ? { [BLOCKS.token]: problemOf(problem) } : {} };
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
function formOf({ tokenKind, exclusive, reconnect, revokeFormer }: ConnectInput) {
  return {
    tokenKind,
    exclusive,
    reconnect,
    ...(revokeFormer === undefined ? {} : { revokeFormer }),
  };
}
