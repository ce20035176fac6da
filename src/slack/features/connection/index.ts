/** Connects a workspace to the order service, and disconnects it; tries a token whose calls are paused. */
import type { types } from '@slack/bolt';
import { reportFault } from '../../../fault.ts';
import type { Log } from '../../../outbox/ports.ts';
import type { Connected } from '../../../workspaces/connection/connect.ts';
import type { FormerToken } from '../../../workspaces/connection/token/revoke-token.ts';
import type { PausedChecked } from '../../../workspaces/connection/tokens.ts';
import { textModal, waitingModal } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { tryAgain } from '../../messages/sentences/problems.ts';
import { actForAdmin, adminModalAction, openForAdmin, slowSubmission } from '../admin-only.ts';
import {
  type ActionArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { byCommand, type Opener, replaceView } from '../views.ts';
import {
  CHECKING_MODAL,
  CONNECT_FORM,
  CONNECT_TITLE,
  type ConnectInput,
  connectAgain,
  connectedModal,
  connectModal,
} from './connect-form.ts';
import {
  CONNECT_PROBLEMS,
  connectedText,
  DISCONNECT_FORM,
  DISCONNECT_TITLE,
  disconnectedText,
  disconnectModal,
  formerTokenText,
  NEXT_DECIDES,
  warningsOf,
} from './text.ts';

export const connection: Feature = (deps) => ({
  subcommands: {
    connect: {
      usage: '',
      meaning: 'connects this workspace to the order service (admins).',
      run: (args) => openForAdmin(deps, byCommand(args), CONNECTING, (opener) => connectForm(deps, opener)),
    },
    disconnect: {
      usage: '',
      meaning: 'disconnects this workspace from the order service (admins).',
      run: (args) =>
        openForAdmin(deps, byCommand(args), DISCONNECTING, async ({ workspace }) =>
          disconnectModal(await deps.planDisconnect(workspace)),
        ),
    },
  },
  actions: {
    // In the welcome message, and on an admin's Home tab.
    [ACTIONS.connect]: adminModalAction(deps, CONNECTING, (opener) => connectForm(deps, opener)),
    [ACTIONS.tryToken]: tryTokenAction(deps),
  },
  views: {
    [CALLBACKS.connect]: connectSubmission(deps),
    [CALLBACKS.disconnect]: disconnectSubmission(deps),
  },
});

const CONNECTING = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };
const DISCONNECTING = { title: DISCONNECT_TITLE, meanwhile: 'Loading the connection…' };
const TRYING_TOKEN = {
  title: 'Try the token',
  meanwhile: 'Asking the order service whether it accepts the token…',
};

/** The results of trying a token whose calls are paused. */
export const TOKEN_CHECKED: Record<PausedChecked, string> = {
  not_paused: 'Calls to the order service are not paused.',
  open: NEXT_DECIDES,
  refused:
    'The order service still refuses the token, so calls stay paused. Connect another token with /countermand connect.',
  unreachable: `The order service gave no answer, so calls stay paused. ${tryAgain(undefined)}`,
};

/** Has a refused token checked. The result is told on top of the form to connect again, which then shows it, too. */
function tryTokenAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    await args.ack();
    const { body, client, context } = args;
    const workspace = workspaceOf(context);
    const checked = await actForAdmin(deps, args, TRYING_TOKEN, {
      act: () => deps.checkPaused(workspace),
      textOf: (result) => TOKEN_CHECKED[result],
    });
    const { view } = body;
    if (!checked || view?.callback_id !== CALLBACKS.connect) return;
    // The token is checked: the form says so, or stays as it was. What came of submitting it meanwhile is not covered.
    await connectForm(deps, { workspace })
      .then((form) => replaceView(client, view, asSeen(form, view)))
      .catch((err) => deps.log.warn({ err, workspace }, 'form to connect not drawn anew'));
  };
}

/** The form with the metadata of the one that was seen: if the connection was replaced since, nothing is saved. */
const asSeen = (
  form: types.ModalView,
  { private_metadata }: { private_metadata: string },
): types.ModalView => ({
  ...form,
  private_metadata,
});

/** The form to connect the workspace, or to connect it again. */
async function connectForm(
  { planConnect }: ListenerDeps,
  { workspace }: Pick<Opener, 'workspace'>,
): Promise<types.ModalView> {
  const plan = await planConnect(workspace);
  const { generation: shown } = plan;
  if (plan.type === 'new') return connectModal({ reconnect: false, shown });
  const { tokenKind, exclusive, facts } = plan;
  // A revoked token can't be had back, so nothing is revoked unless somebody chooses it.
  const former = facts ? { facts, revokeFormer: false } : {};
  return connectModal({ reconnect: true, shown, tokenKind, exclusive, ...former });
}

function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const read = async ({ view }: ViewArgs) => {
    const input = CONNECT_FORM.read(view);
    return { input, errors: CONNECT_FORM.mistakes(input.values) };
  };
  const form = { title: CONNECT_TITLE, waiting: CHECKING_MODAL, read };
  return slowSubmission(form, deps, async (input, { body, context }) => {
    const workspace = workspaceOf(context);
    const { newSecret = false, revokeFormer = false, ...values } = input.values;
    const { shown: generation } = input.about;
    const connecting = { ...values, newSecret, revokeFormer, replaces: { generation } };
    const connected = await deps.connect({ ...connecting, workspace, by: body.user.id });
    const former = formerText(deps.log, workspace, connected);
    const text = [connectedText(connected), ...former].join(' ');
    return { view: outcome(connected, input, former), text };
  });
}

/** Tells what became of the former token, if it was to be revoked, and logs a failure. */
function formerText(log: Log, workspace: string, connected: Connected): string[] {
  const former = connected.type === 'connected' ? connected.former : undefined;
  return former ? [formerTokenText(former, reportRevocation(log, workspace, former))] : [];
}

function outcome(connected: Connected, input: ConnectInput, former: string[]): types.ModalView {
  if (connected.type !== 'connected') return connectAgain(input, CONNECT_PROBLEMS[connected.type]);
  const { eventsUrl, secret, doubt } = connected;
  return connectedModal({ eventsUrl, secret, former, warnings: warningsOf(input.values.tokenKind, doubt) });
}

/** Logs a failure. @returns the reference of a fault: it is not known whether the token was revoked, or Countermand failed */
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
    return { view: textModal(DISCONNECT_TITLE, text), text };
  });
}
