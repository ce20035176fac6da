/**
 * Opens modals, and replaces the view of those that somebody has open (views.open, views.push, views.update). Answers
 * without a view are in answers.ts.
 */
import type { types, ViewResponseAction, webApi } from '@slack/bolt';
import { type Clicked, noticeModal, waitingModal } from '../blocks/forms.ts';
import { textMessage } from '../blocks/text.ts';
import { platformCode } from '../client/failure.ts';
import { failureSentence, inTime } from './answers.ts';
import {
  type ActionArgs,
  type CommandArgs,
  clickOn,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from './listener.ts';

export type OpeningDeps = Pick<ListenerDeps, 'log' | 'after'>;

export type Opening = {
  client: webApi.WebClient;
  triggerId: string;
  title: string;
  /** The progress shown until the modal is filled: "Loading the settings…" */
  meanwhile: string;
  /** Shown instead until the modal is filled. */
  first?: types.ModalView;
  /** Acknowledges the command that opens the modal: with the reason, where there is none for this person. */
  ack?: CommandArgs['ack'];
  /** On top of the modal that is open; else it is the first one. */
  onTop?: boolean;
  /** Whether it is opened on the person's own page. */
  onHome?: boolean;
  /** The mark by which its submission knows the list beneath it. */
  mark?: string | undefined;
};

/** The content of a modal; or why there is none for this person, in mrkdwn. */
export type Filling = types.ModalView | { refused: string };

/**
 * The beginning of the mark of a modal that was opened on a person's own page. A mark is the modal's external_id, which Slack
 * gives back with its submission. No two of a workspace may have the same
 * (https://docs.slack.dev/reference/views/modal-views), and a trigger opens one.
 */
export const ON_HOME = 'home ';

/** Whether something was done on a person's own page, or in a modal that was opened on it. */
export const isOnHome = ({ view }: { view?: { type: string; external_id?: string } | undefined }): boolean =>
  view?.type === 'home' || view?.external_id?.startsWith(ON_HOME) === true;

/** An answer to a submission whose view, or the one on top of it, keeps the mark of the submitted one. */
export function withMark(answer: ViewResponseAction, mark: string): ViewResponseAction {
  switch (answer.response_action) {
    case 'update':
      return { ...answer, view: { ...answer.view, external_id: mark } as types.ModalView };
    case 'push':
      return { ...answer, view: { ...answer.view, external_id: `${mark}+` } as types.ModalView };
    default:
      return answer;
  }
}

/**
 * Opens a modal with its content, if that is known in time; else at once, and fills it later. A person who is refused in time
 * reads why in the answer to their command.
 *
 * @param fill undefined: `first` stays as it is. A failure in it is shown to the person
 */
export async function openModal(
  deps: OpeningDeps,
  opening: Opening,
  fill: () => Promise<Filling>,
): Promise<void> {
  const { client, triggerId, title, meanwhile, ack, onTop = false, onHome = false } = opening;
  const { first = waitingModal(title, meanwhile) } = opening;
  const filling = fill().catch((error) => ({ refused: failureSentence(deps.log, error, { modal: title }) }));
  const known = await inTime(deps, filling);
  if (known && 'refused' in known.result && ack)
    return ack({ response_type: 'ephemeral', ...textMessage(known.result.refused) });
  await ack?.();
  const shown = known ? viewOf(title, known.result) : first;
  const mark = onHome ? `${ON_HOME}${triggerId}` : opening.mark;
  const view = { trigger_id: triggerId, view: mark ? { ...shown, external_id: mark } : shown };
  const opened = await (onTop ? client.views.push(view) : client.views.open(view));
  if (known) return;
  const late = viewOf(title, await filling);
  if (JSON.stringify(late) !== JSON.stringify(first)) await replaceView(client, opened.view, late);
}

/** The modal, or one that says why there is none. */
export const viewOf = (title: string, filled: Filling): types.ModalView =>
  'refused' in filled ? noticeModal(title, filled.refused) : filled;

/**
 * Listens to a button, on a message about a request, that opens a form.
 *
 * @param fill returns the form, or why there is none for this person
 */
export function requestFormAction(
  deps: OpeningDeps,
  title: string,
  fill: (clicked: Clicked, who: { workspace: string; id: string; by: string }) => Promise<Filling>,
): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const clicked = clickOn(action);
    const who = { workspace: workspaceOf(context), id: clicked.ref.id, by: body.user.id };
    const meanwhile = 'Loading the request…';
    const opening = { client, triggerId: body.trigger_id, title, meanwhile, onHome: isOnHome(body) };
    await openModal(deps, opening, () => fill(clicked, who));
  };
}

/** Slack's answers if the person has closed the modal, or it has changed since. */
const CLOSED_OR_CHANGED: ReadonlySet<string | undefined> = new Set(['not_found', 'hash_conflict']);

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
    if (CLOSED_OR_CHANGED.has(platformCode(error))) return false;
    throw error;
  }
}
