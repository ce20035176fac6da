/** Opens modals, and replaces the view of those that somebody has open (views.open, views.push, views.update). */
import type { types, ViewResponseAction, webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import { type FieldErrors, noticeModal, waitingModal } from '../blocks/forms.ts';
import type { Clicked } from '../blocks/ref.ts';
import { platformCode } from '../client/failure.ts';
import { failureSentence } from './failure-sentence.ts';
import { type ActionArgs, clickOn, type Listener, workspaceOf } from './listener.ts';

export type Opening = {
  client: webApi.WebClient;
  triggerId: string;
  title: string;
  /** The progress shown until the modal is filled: "Loading the settings…" */
  meanwhile: string;
  log: Log;
  /** On top of the modal that is open; else it is the first one. */
  onTop?: boolean;
  /** Whether it is opened on the person's own page. */
  onHome?: boolean;
};

/** The beginning of the mark of a modal that was opened on a person's own page. */
export const ON_HOME = 'home ';

/**
 * Marks a modal as opened on a person's own page: by its external_id, which Slack gives back with its submission. No two of a
 * workspace may have the same (https://docs.slack.dev/reference/views/modal-views), and a trigger opens one.
 */
export const markedAsOnHome = (view: types.ModalView, triggerId: string): types.ModalView => ({
  ...view,
  external_id: `${ON_HOME}${triggerId}`,
});

/** Whether something was done on a person's own page, or in a modal that was opened on it. */
export const isOnHome = ({ view }: { view?: { type: string; external_id?: string } | undefined }): boolean =>
  view?.type === 'home' || view?.external_id?.startsWith(ON_HOME) === true;

/**
 * Opens a modal at once, for which Slack's trigger gives three seconds, and fills it once its content is known.
 *
 * @param fill a failure in it is shown in the modal
 */
export async function openModal(
  { client, triggerId, title, meanwhile, log, onTop = false, onHome = false }: Opening,
  fill: () => Promise<types.ModalView>,
): Promise<void> {
  const first = waitingModal(title, meanwhile);
  const waiting = { trigger_id: triggerId, view: onHome ? markedAsOnHome(first, triggerId) : first };
  const opened = await (onTop ? client.views.push(waiting) : client.views.open(waiting));
  const view = await fill().catch((error) =>
    noticeModal(title, failureSentence(log, error, { modal: title })),
  );
  await replaceView(client, opened.view, view);
}

/**
 * Listens to a button, on a message about a request, that opens a form.
 *
 * @param fill returns the form, or a notice if there is none for this person
 */
export function requestFormAction(
  { title, log }: Pick<Opening, 'title' | 'log'>,
  fill: (clicked: Clicked, who: { workspace: string; id: string; by: string }) => Promise<types.ModalView>,
): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const clicked = clickOn(action);
    const who = { workspace: workspaceOf(context), id: clicked.ref.id, by: body.user.id };
    const meanwhile = 'Loading the request…';
    const opening = { client, triggerId: body.trigger_id, title, meanwhile, log, onHome: isOnHome(body) };
    await openModal(opening, () => fill(clicked, who));
  };
}

/** Answers a submission: replaces the form by a notice. @param texts mrkdwn, a paragraph each */
export const notice = (title: string, ...texts: string[]): ViewResponseAction => ({
  response_action: 'update',
  view: noticeModal(title, ...texts),
});

/** Answers a submission: shows errors at their fields. @returns undefined if there are none */
export function refusal(...errors: FieldErrors[]): ViewResponseAction | undefined {
  const all = Object.assign({}, ...errors) as FieldErrors;
  return Object.keys(all).length > 0 ? { response_action: 'errors', errors: all } : undefined;
}

/** Slack's answers if the person has closed the modal, or it has changed since. */
const GONE: ReadonlySet<string | undefined> = new Set(['not_found', 'hash_conflict']);

/**
 * Replaces what a modal shows. It stays marked as opened on a person's own page.
 *
 * @param opened the modal as it was last seen: with a hash, a newer one is left alone
 * @returns whether the person sees the new view
 */
export async function replaceView(
  client: webApi.WebClient,
  opened: { id?: string | undefined; hash?: string; external_id?: string | undefined } | undefined,
  view: types.ModalView,
): Promise<boolean> {
  if (!opened?.id) return false;
  const hash = opened.hash === undefined ? {} : { hash: opened.hash };
  const mark = opened.external_id ? { external_id: opened.external_id } : {};
  try {
    await client.views.update({ view_id: opened.id, ...hash, view: { ...view, ...mark } });
    return true;
  } catch (error) {
    if (GONE.has(platformCode(error))) return false;
    throw error;
  }
}
