/**
 * Opens modals, replaces the view of those that somebody has open (views.open, views.push, views.update), and answers
 * people privately: at a command, at a click, and with the sentence for a failure.
 */
import type { types, ViewResponseAction, webApi } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import { type Clicked, type FieldErrors, noticeModal, waitingModal } from '../blocks/forms.ts';
import { faultSentence } from '../blocks/problems.ts';
import { type Message, textMessage } from '../blocks/text.ts';
import { failureOf, platformCode, type SlackFailure } from '../client/failure.ts';
import { knownRefusal, slowedDown, unknownRefusal } from '../messages/sentences/slack-refusals.ts';
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

/** Slack waits three seconds for the acknowledgement, and as long for the modal: so much of them is spent on its content. */
const IN_TIME_MS = 600;

/** The result of work, if it is there in time; otherwise undefined, and the work goes on. */
async function inTime<T>(
  { after }: Pick<ListenerDeps, 'after'>,
  work: Promise<T>,
): Promise<{ result: T } | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = after(IN_TIME_MS, () => late.resolve(undefined));
  try {
    return await Promise.race([work.then((result) => ({ result })), late.promise]);
  } finally {
    cancel();
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
  fill: () => Promise<Filling | undefined>,
): Promise<void> {
  const { client, triggerId, title, meanwhile, ack, onTop = false, onHome = false } = opening;
  const { first = waitingModal(title, meanwhile) } = opening;
  const filling = fill().catch((error) => ({ refused: failureSentence(deps.log, error, { modal: title }) }));
  const known = await inTime(deps, filling);
  if (known?.result && 'refused' in known.result && ack)
    return ack({ response_type: 'ephemeral', ...textMessage(known.result.refused) });
  await ack?.();
  const shown = known?.result ? viewOf(title, known.result) : first;
  const mark = onHome ? `${ON_HOME}${triggerId}` : opening.mark;
  const view = { trigger_id: triggerId, view: mark ? { ...shown, external_id: mark } : shown };
  const opened = await (onTop ? client.views.push(view) : client.views.open(view));
  if (known) return;
  const filled = await filling;
  const late = filled && viewOf(title, filled);
  if (late && JSON.stringify(late) !== JSON.stringify(first)) await replaceView(client, opened.view, late);
}

/** The modal, or one that says why there is none. */
export const viewOf = (title: string, filled: Filling): types.ModalView =>
  'refused' in filled ? noticeModal(title, filled.refused) : filled;

/** Answers a command privately: in its acknowledgement if the answer is known in time, else a little later. */
export async function answerCommand(
  deps: Pick<ListenerDeps, 'after'>,
  { ack, respond }: Pick<CommandArgs, 'ack' | 'respond'>,
  answer: Promise<Message>,
): Promise<void> {
  const known = await inTime(deps, answer);
  if (known) return ack({ response_type: 'ephemeral', ...known.result });
  await ack();
  await respond({ response_type: 'ephemeral', ...(await answer) });
}

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

/** Answers a click privately, beneath the message with the button: in its thread, if that is a reply. */
export async function answerClick(
  { body, respond }: Pick<ActionArgs, 'body' | 'respond'>,
  text: string,
): Promise<void> {
  const { thread_ts: thread, ts }: { thread_ts?: unknown; ts?: string } = body.message ?? {};
  const place = typeof thread === 'string' && thread !== ts ? { thread_ts: thread } : {};
  await respond({ response_type: 'ephemeral', replace_original: false, ...place, ...textMessage(text) });
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

/** A refusal of Slack that is understood is a plain sentence; everything else has a reference that is in the log. */
export function failureSentence(log: Log, error: unknown, context: object): string {
  const failure = failureOf(error);
  const code = platformCode(error);
  const understood = isSlowedDown(failure)
    ? slowedDown(failure.retryAfterMs)
    : code !== undefined && knownRefusal(code);
  if (understood) {
    log.warn({ ...context, slack: failure.code }, 'Slack call refused for a waiting person');
    return understood;
  }
  const reference = reportFault(log, error, context);
  const isRefusal = code !== undefined && failure.type !== 'doubtful';
  return isRefusal ? unknownRefusal(failure.code, reference) : faultSentence(reference);
}

function isSlowedDown(failure: SlackFailure): failure is Extract<SlackFailure, { type: 'later' }> {
  return failure.type === 'later' && failure.code === 'ratelimited';
}
