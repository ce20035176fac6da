/** Connects a workspace to the order service, and disconnects it; tries a token whose calls are paused. */
import type { types } from '@slack/bolt';
import { reportFault } from '../../../fault.ts';
import type { Log } from '../../../outbox/ports.ts';
import type { Connected } from '../../../workspaces/connection/connect.ts';
import type { FormerToken } from '../../../workspaces/connection/token/revoke-token.ts';
import type { PausedChecked } from '../../../workspaces/connection/tokens.ts';
import { noticeModal, waitingModal } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { tryAgain } from '../../blocks/problems.ts';
import { type Invocation, openForAdmin, slowSubmission } from '../admin-only.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
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
import { DISCONNECT_FORM, DISCONNECT_TITLE, disconnectedText, disconnectModal } from './disconnect-modal.ts';

export const connection: Feature = (deps) => ({
  subcommands: {
    connect: {
      usage: '',
      meaning: 'connects this workspace to the order service (admins).',
      run: (args) => openConnect(deps, args),
    },
    disconnect: {
      usage: '',
      meaning: 'disconnects this workspace from the order service (admins).',
      run: (args) => openDisconnect(deps, args),
    },
  },
  actions: { [ACTIONS.connect]: connectAction(deps), [ACTIONS.tryToken]: tryTokenAction(deps) },
  views: {
    [CALLBACKS.connect]: connectSubmission(deps),
    [CALLBACKS.disconnect]: disconnectSubmission(deps),
  },
});

const TRY_TOKEN_TITLE = 'Try the token';

const CHECKED: Record<PausedChecked, string> = {
  not_paused: 'Calls to the order service are not paused.',
  open: 'The order service did not refuse the token this time. The next request is sent; if the order service accepts it, all others follow.',
  refused:
    'The order service still refuses the token, so calls stay paused. Connect another token with /countermand connect.',
  unreachable: `The order service gave no answer, so calls stay paused. ${tryAgain(undefined)}`,
};

function tryTokenAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    const meanwhile = 'Asking the order service whether it accepts the token…';
    const opening = {
      title: TRY_TOKEN_TITLE,
      meanwhile,
      onTop: body.view?.type === 'modal',
      onHome: isOnHome(body),
    };
    await openForAdmin(deps, { client, context, command }, opening, async (workspace) =>
      noticeModal(TRY_TOKEN_TITLE, CHECKED[await deps.checkPaused(workspace)]),
    );
  };
}

const OPENING_TO_CONNECT = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };

async function openConnect(deps: ListenerDeps, args: Invocation, onHome = false): Promise<void> {
  await openForAdmin(deps, args, { ...OPENING_TO_CONNECT, onHome }, async (workspace) =>
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
function connectAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const command = { trigger_id: body.trigger_id, user_id: body.user.id };
    await openConnect(deps, { client, context, command }, isOnHome(body));
  };
}

/** An admin has filled in the token. */
function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
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

/** @returns the reference of a fault: where nobody knows whether it was done, or something of ours has failed */
function reportRevocation(log: Log, workspace: string, revocation: FormerToken): string | undefined {
  switch (revocation.type) {
    case 'unknown':
    case 'not_sent':
      return reportFault(log, revocation.error, { workspace, action: 'revoke' });
    case 'unreachable':
      log.warn({ workspace, revocation }, 'token not revoked');
      return undefined;
    default:
      return undefined;
  }
}

const OPENING_TO_DISCONNECT = { title: DISCONNECT_TITLE, meanwhile: 'Loading the connection…' };

async function openDisconnect(deps: ListenerDeps, args: CommandArgs): Promise<void> {
  await openForAdmin(deps, args, OPENING_TO_DISCONNECT, async (workspace) =>
    disconnectModal(await deps.planDisconnect(workspace)),
  );
}

/** An admin has confirmed that the workspace is to be disconnected. */
function disconnectSubmission({ disconnect, ...deps }: ListenerDeps): Listener<ViewArgs> {
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
