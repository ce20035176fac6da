/** Opens modals for admins alone, and handles what they submit, even if that takes longer than Slack waits. */
import type { types } from '@slack/bolt';
import { administratorsOf, mayAdminister } from '../../requests/use-cases/who-may.ts';
import { type FieldErrors, textModal, waitingModal } from '../blocks/forms.ts';
import { adminsOnlyText } from '../messages/sentences/problems.ts';
import { failureSentence, refusal, tellDirectly, textInstead } from './answers.ts';
import { type ActionArgs, type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from './listener.ts';
import { byClick, type Filling, type Frame, type Opener, openModal } from './modals.ts';
import { replaceView } from './redraw.ts';

async function isAdmin(deps: ListenerDeps, workspace: string, user: string): Promise<boolean> {
  return mayAdminister(deps, workspace, await deps.directory.person(workspace, user));
}

/** Opens a modal for an admin; anybody else reads whom to ask. */
export async function openForAdmin(
  deps: ListenerDeps,
  opener: Opener,
  frame: Frame,
  fill: (opener: Opener) => Promise<Filling>,
): Promise<void> {
  const { workspace, user } = opener;
  await openModal(deps, opener, frame, async () =>
    (await isAdmin(deps, workspace, user))
      ? fill(opener)
      : { refused: await adminsOnlyRefusal(deps, workspace) },
  );
}

export function adminModalAction(
  deps: ListenerDeps,
  frame: Frame,
  fill: (opener: Opener, args: ActionArgs) => Promise<Filling>,
): Listener<ActionArgs> {
  return async (args) => {
    await args.ack();
    await openForAdmin(deps, byClick(args), frame, (opener) => fill(opener, args));
  };
}

/**
 * Acknowledges a button of admins, does at once what it is for, and tells the result in a modal or, if Slack opens none or the
 * admin has closed it, in a direct message: the sentence about a fault says "nothing more was done", which would be wrong.
 *
 * @param textOf the result in mrkdwn
 * @returns undefined if the person is no admin, and nothing was done, or if it failed, and they were told so
 */
export async function actForAdmin<Result>(
  deps: ListenerDeps,
  args: ActionArgs,
  frame: Frame,
  { act, textOf }: { act: () => Promise<Result>; textOf: (result: Result) => string },
): Promise<Result | undefined> {
  await args.ack();
  const opener = byClick(args);
  const { client, workspace, user } = opener;
  // Begun at once: what an admin wants to stop does not wait for a modal.
  const acting = isAdmin(deps, workspace, user).then((is) => (is ? act() : undefined));
  const text = acting.then(
    (result) => (result === undefined ? adminsOnlyRefusal(deps, workspace) : textOf(result)),
    (error) => failureSentence(deps.log, error, { modal: frame.title }),
  );
  const opening = openModal(deps, opener, frame, async () => textModal(frame.title, await text));
  const opened = await opening.catch((error: unknown) => ({ error }));
  const result = await acting.catch(() => undefined);
  if (opened === true) return result;
  if (opened !== false) {
    if (result === undefined) throw opened.error;
    deps.log.warn({ err: opened.error, user }, 'outcome not shown in the modal');
  }
  await tellDirectly(deps, client, user, await text);
  return result;
}

/** Lets only admins submit a form: a person may have lost that right since it was opened. */
export function adminsOnly(
  title: string,
  deps: ListenerDeps,
  listener: Listener<ViewArgs>,
): Listener<ViewArgs> {
  return async (args) => {
    const { ack, body, context } = args;
    const workspace = workspaceOf(context);
    if (await isAdmin(deps, workspace, body.user.id)) return listener(args);
    return ack(textInstead(title, await adminsOnlyRefusal(deps, workspace)));
  };
}

const adminsOnlyRefusal = async (deps: ListenerDeps, workspace: string): Promise<string> =>
  adminsOnlyText(await administratorsOf(deps, workspace));

/** For how long the outcome of a form is kept, to be shown again if Slack delivers the submission once more. */
const KEPT_MS = 60_000;

export type SlowResult = {
  view: types.ModalView;
  /** The outcome as a direct message (mrkdwn). It holds no secret: only a modal shows one. */
  text: string;
};

type SlowForm<Input> = Frame & {
  /**
   * Reads the form before any work begins. `errors`: the mistakes in it, each at its field. `anew`: the form drawn again, if it
   * was submitted before it showed all necessary fields.
   */
  read: (args: ViewArgs) => Promise<{ input: Input; errors?: FieldErrors } | { anew: types.ModalView }>;
};

/**
 * Handles a form that calls the order service, which may take longer than the 3 s for which Slack waits. The outcome is shown in
 * the modal or, if that was closed or can't be changed, in a direct message. Once the work is done, nothing throws: the sentence
 * about a fault says "nothing more was done", which would be wrong.
 *
 * @param work is done once, though Slack delivers a submission again when its answer was late
 */
export function slowSubmission<Input>(
  { title, meanwhile, read }: SlowForm<Input>,
  deps: ListenerDeps,
  work: (input: Input, args: ViewArgs) => Promise<SlowResult>,
): Listener<ViewArgs> {
  const outcomes = new Map<string, Promise<SlowResult>>();
  return adminsOnly(title, deps, async (args) => {
    const { ack, body, view, client, context } = args;
    const found = await read(args);
    if ('anew' in found) return ack({ response_action: 'update', view: found.anew });
    const refused = refusal(found.errors ?? {});
    if (refused) return ack(refused);
    await ack({ response_action: 'update', view: waitingModal(title, meanwhile) });
    // Views of two workspaces may have the same id. A form that was drawn again has another hash.
    const workspace = workspaceOf(context);
    const key = `${workspace} ${view.id} ${view.hash}`;
    const known = outcomes.get(key);
    const working = known ?? work(found.input, args);
    if (!known) {
      outcomes.set(key, working);
      // The outcome may hold the events secret, so it does not stay.
      const forget = () => void deps.after(KEPT_MS, () => outcomes.delete(key));
      working.then(forget, forget);
    }
    const outcome = known ? await working.catch(() => undefined) : await working;
    // The first delivery reports the fault.
    if (!outcome) return;
    const { id, external_id } = view;
    const shown = await replaceView({ client, workspace }, { id, external_id }, outcome.view).catch((error) =>
      deps.log.warn({ err: error, user: body.user.id }, 'outcome not shown in the modal'),
    );
    if (!shown && !known) await tellDirectly(deps, client, body.user.id, outcome.text);
  });
}
