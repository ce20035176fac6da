/** Modals that only admins and owners may open and submit, also where the submission takes long. */
import type { types, webApi } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import { administratorsOf } from '../../requests/use-cases/who-may.ts';
import { adminsOnlyText } from '../blocks/problems.ts';
import { sendDirectMessage } from '../messages/deliver.ts';
import { notice } from './answers.ts';
import {
  type ActionArgs,
  isAdmin,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from './listener.ts';
import {
  byClick,
  type Filling,
  type Opener,
  type OpeningDeps,
  openModal,
  replaceView,
  type Window,
} from './views.ts';

type Deps = Pick<ListenerDeps, 'directory' | 'settings'>;

/** Opens a modal for an admin; anybody else reads whom to ask. */
export async function openForAdmin(
  deps: Deps & OpeningDeps,
  opener: Opener,
  window: Window,
  fill: (opener: Opener) => Promise<Filling>,
): Promise<void> {
  const { workspace, user } = opener;
  await openModal(deps, opener, window, async () =>
    (await isAdmin(deps, workspace, user)) ? fill(opener) : { refused: await adminsOnlyFor(deps, workspace) },
  );
}

/** Listens to a button that does the same. */
export function adminModalAction(
  deps: Deps & OpeningDeps,
  window: Window,
  fill: (opener: Opener, args: ActionArgs) => Promise<Filling>,
): Listener<ActionArgs> {
  return async (args) => {
    await args.ack();
    await openForAdmin(deps, byClick(args), window, (opener) => fill(opener, args));
  };
}

/** Checks again at the submission: the person may not be an admin any more. */
export function adminsOnly(title: string, deps: Deps, listener: Listener<ViewArgs>): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    const workspace = workspaceOf(context);
    if (await isAdmin(deps, workspace, body.user.id)) return listener(args);
    return ack(notice(title, await adminsOnlyFor(deps, workspace)));
  };
}

/** The refusal for everybody else, which names whom to ask. */
export const adminsOnlyFor = async (deps: Deps, workspace: string): Promise<string> =>
  adminsOnlyText(await administratorsOf(deps, workspace));

export type SlowResult = {
  view: types.ModalView;
  /** The same for a direct message, as mrkdwn: without any secret, which only a modal shows. */
  text: string;
};

type SlowDeps = Deps & Pick<ListenerDeps, 'log'>;

type SlowForm<Input> = {
  title: string;
  waiting: types.ModalView;
  /**
   * Reads the form before any work begins. `errors`: the mistakes in it, each at its field. `anew`: the form, where it has to
   * be filled in further.
   */
  read: (
    args: ViewArgs,
  ) => Promise<{ input: Input; errors?: Record<string, string> } | { anew: types.ModalView }>;
};

/**
 * Handles a form that calls the order service, which may take longer than the 3 s for which Slack waits.
 *
 * @param work is done once, though Slack delivers a submission again when its answer was late
 */
export function slowSubmission<Input>(
  { title, waiting, read }: SlowForm<Input>,
  deps: SlowDeps,
  work: (input: Input, args: ViewArgs) => Promise<SlowResult>,
): Listener<ViewArgs> {
  const underWay = new Set<string>();
  return adminsOnly(title, deps, async (args) => {
    const { ack, body, view, client, context } = args;
    const found = await read(args);
    if ('anew' in found) return ack({ response_action: 'update', view: found.anew });
    const { input, errors = {} } = found;
    if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
    await ack({ response_action: 'update', view: waiting });
    // Views of two workspaces may have the same id.
    const key = `${workspaceOf(context)} ${view.id}`;
    if (underWay.has(key)) return;
    underWay.add(key);
    try {
      await show(deps, client, { view, by: body.user.id }, await work(input, args));
    } finally {
      underWay.delete(key);
    }
  });
}

/**
 * Shows the outcome in the modal or, if that was closed or can't be changed, in a direct message. Never throws: the work
 * is done, and the sentence about a fault, "nothing more was done", would be wrong.
 */
async function show(
  { log }: Pick<SlowDeps, 'log'>,
  client: webApi.WebClient,
  { view: { id, external_id }, by }: { view: ViewArgs['view']; by: string },
  outcome: SlowResult,
): Promise<void> {
  const shown = await replaceView(client, { id, external_id }, outcome.view).catch((error) => {
    log.warn({ err: error, user: by }, 'outcome not shown in the modal');
    return false;
  });
  if (shown) return;
  await sendDirectMessage(client, by, outcome.text).catch((error) =>
    reportFault(log, error, { user: by, what: 'outcome not delivered' }),
  );
}
