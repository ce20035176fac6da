/** Handles forms of admins that call the order service, which may take longer than the 3 s for which Slack waits. */
import type { types, webApi } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import { sendDirectMessage } from '../messages/outgoing.ts';
import { adminsOnly } from './admin-only.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from './listener.ts';
import { replaceView } from './views.ts';

export type Outcome = {
  view: types.ModalView;
  /** The same for a direct message, as mrkdwn: without any secret, which only a modal shows. */
  text: string;
};

type Deps = Pick<ListenerDeps, 'directory' | 'settings' | 'log'>;

type SlowForm<Input> = {
  title: string;
  /** Shown while the work is done. */
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
 * @param work is done once, though Slack delivers a submission again when its answer was late
 */
export function slowSubmission<Input>(
  { title, waiting, read }: SlowForm<Input>,
  deps: Deps,
  work: (input: Input, args: ViewArgs) => Promise<Outcome>,
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
  { log }: Deps,
  client: webApi.WebClient,
  { view: { id, external_id }, by }: { view: ViewArgs['view']; by: string },
  outcome: Outcome,
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
