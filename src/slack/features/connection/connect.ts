/** `/countermand connect`, the button in the welcome message, and the form. */
import type { types } from '@slack/bolt';
import type { Log } from '../../../outbox/ports.ts';
import type { Connected } from '../../../workspaces/connection/connect.ts';
import { type Invocation, openForAdmin } from '../admin-only.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { slowSubmission } from '../slow-submission.ts';
import { isOnHome } from '../views.ts';
import {
  CONNECT_FORM,
  CONNECT_TITLE,
  type ConnectDraft,
  type ConnectInput,
  checkingModal,
  connectAgain,
  connectedModal,
  connectModal,
} from './connect-form.ts';
import { connectedDirectly, formerTokenText, problemOf, warningsOf } from './connect-text.ts';
import { reportRevocation } from './report-revocation.ts';

const OPENING = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };

export async function openConnect(deps: ListenerDeps, args: Invocation, onHome = false): Promise<void> {
  await openForAdmin(deps, args, { ...OPENING, onHome }, async (workspace) =>
    connectModal(await currentForm(deps, workspace)),
  );
}

async function currentForm({ planConnect }: ListenerDeps, workspace: string): Promise<ConnectDraft> {
  const plan = await planConnect(workspace);
  const { generation: shown } = plan;
  if (plan.type === 'new') return { reconnect: false, shown };
  const { tokenKind, exclusive, facts } = plan;
  // A revoked token can't be had back, so nothing is revoked unless somebody chooses it.
  return { reconnect: true, shown, tokenKind, exclusive, ...(facts ? { facts, revokeFormer: false } : {}) };
}

/** The button in the welcome message and on an admin's own page: does the same as /countermand connect. */
export function connectAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    await openConnect(deps, { client, context, command }, isOnHome(body));
  };
}

/** An admin has filled in the token. */
export function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const read = async ({ view }: ViewArgs) => {
    const input = CONNECT_FORM.read(view);
    return { input, errors: CONNECT_FORM.mistakes(input.values) };
  };
  const form = { title: CONNECT_TITLE, waiting: checkingModal(), read };
  return slowSubmission(form, deps, async (input, { body, context }) => {
    const workspace = workspaceOf(context);
    const { newSecret = false, revokeFormer = false, ...values } = input.values;
    const { shown: generation } = input.about;
    const connecting = { ...values, newSecret, revokeFormer, replaces: { generation } };
    const connected = await deps.connect({ ...connecting, workspace, by: body.user.id });
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
  if (connected.type !== 'connected') return connectAgain(input, problemOf(connected.type));
  const { eventsUrl, secret, doubt } = connected;
  return connectedModal({ eventsUrl, secret, former, warnings: warningsOf(input.values.tokenKind, doubt) });
}
