/** Connects a workspace to the order service, and disconnects it; tries a token whose calls are paused. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { DisconnectPlan } from '../../../workspaces/connection/disconnect.ts';
import { reportRevocation } from '../../../workspaces/connection/revoke-token.ts';
import { asJson, form, textModal } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { section } from '../../blocks/text.ts';
import { actForAdmin, adminModalAction, openForAdmin, slowSubmission } from '../../listeners/admin-only.ts';
import {
  type ActionArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../../listeners/listener.ts';
import { byCommand } from '../../listeners/modals.ts';
import { replaceView } from '../../listeners/redraw.ts';
import {
  CONNECT_PROBLEMS,
  connectedText,
  disconnectedText,
  formerTokenText,
  NOT_CONNECTED,
  planTexts,
  TOKEN_CHECKED,
  warningsOf,
} from '../../messages/sentences/connection-texts.ts';
import { CONNECT_FORM, CONNECT_TITLE, connectAgain, connectedModal, connectModal } from './connect-form.ts';

export const connection: Feature = (deps) => ({
  subcommands: {
    connect: {
      usage: '',
      meaning: 'connects this workspace to the order service (admins).',
      run: (args) =>
        openForAdmin(deps, byCommand(args), CONNECTING, ({ workspace }) => connectForm(deps, workspace)),
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
    [ACTIONS.connect]: adminModalAction(deps, CONNECTING, ({ workspace }) => connectForm(deps, workspace)),
    [ACTIONS.tryToken]: tryTokenAction(deps),
  },
  views: {
    [CALLBACKS.connect]: connectSubmission(deps),
    [CALLBACKS.disconnect]: disconnectSubmission(deps),
  },
});

const DISCONNECT_TITLE = 'Disconnect';

const CONNECTING = { title: CONNECT_TITLE, meanwhile: 'Loading the connection…' };
const DISCONNECTING = { title: DISCONNECT_TITLE, meanwhile: 'Loading the connection…' };
export const CHECKING = {
  title: CONNECT_TITLE,
  meanwhile: 'Asking the order service whether it accepts the token…',
};
const TRYING_TOKEN = { ...CHECKING, title: 'Try the token' };

/** Has a refused token checked. The result is told on top of the form to connect again, which then shows it, too. */
function tryTokenAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    const { body, client, context } = args;
    const workspace = workspaceOf(context);
    const checked = await actForAdmin(deps, args, TRYING_TOKEN, {
      act: () => deps.checkPaused(workspace),
      textOf: (result) => TOKEN_CHECKED[result],
    });
    const { view } = body;
    if (!checked || view?.callback_id !== CALLBACKS.connect) return;
    // The token is checked, whether or not the form can show it. If the form was submitted meanwhile, its answer is left alone.
    // The metadata stays that of the form that the admin saw: if the connection was replaced since, nothing is saved.
    const { private_metadata } = view;
    await connectForm(deps, workspace)
      .then((form) => replaceView({ client, workspace }, view, { ...form, private_metadata }))
      .catch((err) => deps.log.warn({ err, workspace }, 'form to connect not drawn anew'));
  };
}

async function connectForm(deps: ListenerDeps, workspace: string): Promise<types.ModalView> {
  const plan = await deps.planConnect(workspace);
  const { generation: shown } = plan;
  if (plan.type === 'new') return connectModal({ shown });
  const { tokenKind, exclusive, facts } = plan;
  // A revoked token can't be had back, so nothing is revoked unless somebody chooses it.
  const former = facts ? { facts, hasToken: true } : {};
  return connectModal({ hasSecret: true, shown, tokenKind, exclusive, ...former });
}

function connectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const read = async ({ view }: ViewArgs) => {
    const input = CONNECT_FORM.read(view);
    return { input, errors: CONNECT_FORM.mistakes(input.values) };
  };
  return slowSubmission({ ...CHECKING, read }, deps, async (input, { body, context }) => {
    const workspace = workspaceOf(context);
    const { eventsSecret = 'keep', revokeFormer = false, ...values } = input.values;
    const newSecret = eventsSecret !== 'keep';
    const endsFormerSecret = eventsSecret === 'end';
    const replaces = { generation: input.about.shown };
    const who = { workspace, by: body.user.id };
    const chosen = { ...values, newSecret, endsFormerSecret, revokeFormer };
    const connected = await deps.connect({ ...chosen, replaces, ...who });
    const text = connectedText(connected);
    if (connected.type !== 'connected')
      return { view: connectAgain(input, CONNECT_PROBLEMS[connected.type]), text };
    const { eventsUrl, secret, doubt, former: revocation } = connected;
    const former =
      revocation && formerTokenText(revocation, reportRevocation(deps.log, workspace, revocation));
    const warnings = warningsOf(values.tokenKind, doubt);
    const formerSecret = newSecret ? ({ formerSecret: endsFormerSecret ? 'ended' : 'works' } as const) : {};
    const view = connectedModal({ eventsUrl, secret, warnings, former, ...formerSecret });
    return { view, text: [text, ...warnings, former].filter(Boolean).join(' ') };
  });
}

/** The metadata has `shown`: the generation of the connection that ends. */
const DISCONNECT_FORM = form(CALLBACKS.disconnect, {}, asJson(z.object({ shown: z.string() })));

export function disconnectModal(plan: DisconnectPlan): types.ModalView {
  if (plan.type === 'not_connected') return textModal(DISCONNECT_TITLE, NOT_CONNECTED);
  const buttons = { title: 'Disconnect workspace?', submit: 'Disconnect', close: 'Stay connected' };
  return DISCONNECT_FORM.view(
    { ...buttons, blocks: planTexts(plan).map(section) },
    { shown: plan.generation },
  );
}

function disconnectSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const slowForm = {
    title: DISCONNECT_TITLE,
    meanwhile: 'Disconnecting…',
    read: async ({ body, context, view }: ViewArgs) => ({
      input: { workspace: workspaceOf(context), by: body.user.id, ...DISCONNECT_FORM.read(view).about },
    }),
  };
  return slowSubmission(slowForm, deps, async ({ workspace, by, shown }) => {
    const disconnected = await deps.disconnect(workspace, by, shown);
    const { type } = disconnected;
    const reference =
      type === 'not_revoked' ? reportRevocation(deps.log, workspace, disconnected.revocation) : undefined;
    const text = disconnectedText(disconnected, 'slack', reference);
    return { view: textModal(DISCONNECT_TITLE, text), text };
  });
}
