/**
 * The life of a modal:
 * 1. A command or a click opens it (`openModal`): with its content if that is known in time, else empty, and filled once it is.
 * 2. A choice in it draws it anew (`redrawAfter`, by redraw.ts).
 * 3. Its submission is answered with errors at the fields, a text, or another view (answers.ts). If the answer takes longer than
 *    Slack waits, the modal shows it afterwards (`slowSubmission` in admin-only.ts).
 * 4. What lies beneath it is drawn anew (marks.ts).
 */
import type { types, webApi } from '@slack/bolt';
import type { RecordRef } from '../../outbox/record-store.ts';
import { type Clicked, readRef, textModal, waitingModal } from '../blocks/forms.ts';
import { stampedView } from '../blocks/stamp.ts';
import { textMessage } from '../blocks/text.ts';
import { platformCode } from '../client/call-slack.ts';
import { failureSentence, inTime } from './answers.ts';
import {
  type ActionArgs,
  buttonValue,
  type CommandArgs,
  type Listener,
  type ListenerDeps,
  momentOf,
  workspaceOf,
} from './listener.ts';
import { type InView, markOnHome } from './marks.ts';
import { type Draw, type Redraw, replaceView } from './redraw.ts';

/** A command or a click that opens a modal, and the person who gave it. */
export type Opener = {
  client: webApi.WebClient;
  workspace: string;
  user: string;
  triggerId: string;
  /** Acknowledges the command; the acknowledgement says why, if there is no modal for this person. */
  ack?: CommandArgs['ack'];
  /** Whether another modal is open: the new one goes on top of it. */
  onTop: boolean;
  /** The mark by which the submission of the modal knows what lies beneath it. */
  mark?: string | undefined;
};

export const byCommand = ({ ack, client, command, context }: CommandArgs): Opener => ({
  client,
  workspace: workspaceOf(context),
  user: command.user_id,
  triggerId: command.trigger_id,
  ack,
  onTop: false,
});

export type Click = Pick<ActionArgs, 'client' | 'context'> & {
  body: { trigger_id: string; user: { id: string } } & InView;
};

/** A click on a button or a shortcut, which has been acknowledged. */
export const byClick = ({ body, client, context }: Click): Opener => ({
  client,
  workspace: workspaceOf(context),
  user: body.user.id,
  triggerId: body.trigger_id,
  onTop: body.view?.type === 'modal',
  mark: markOnHome(body, body.trigger_id),
});

/** The frame of a modal, known before its content. */
export type Frame = {
  title: string;
  /** The progress shown until the modal is filled: "Loading the settings…" */
  meanwhile: string;
  /** Shown until then, in place of the progress. */
  first?: types.ModalView;
};

/** The content of a modal; or why there is none for this person, in mrkdwn. */
export type Filling = types.ModalView | { refused: string };

/**
 * Opens a modal with its content, if that is known in time; otherwise with `first`, which the content replaces later. A person
 * who is refused in time reads why in the answer to their command.
 *
 * @param fill a failure in it is shown to the person
 * @returns whether the content was shown: the person may have closed the modal before
 */
export async function openModal(
  deps: ListenerDeps,
  { client, workspace, triggerId, ack, onTop, mark }: Opener,
  { title, meanwhile, first = waitingModal(title, meanwhile) }: Frame,
  fill: () => Promise<Filling>,
): Promise<boolean> {
  const filling = fill().catch((error) => ({ refused: failureSentence(deps.log, error, { modal: title }) }));
  const known = await inTime(deps, filling);
  if (known && 'refused' in known.result && ack) {
    await ack({ response_type: 'ephemeral', ...textMessage(known.result.refused) });
    return true;
  }
  await ack?.();
  const shown = known ? viewOf(title, known.result) : first;
  const drawn = stampedView(workspace, mark ? { ...shown, external_id: mark } : shown);
  const view = { trigger_id: triggerId, view: drawn };
  const opened = await (onTop ? pushed(client, view) : client.views.open(view));
  if (!opened) return false;
  if (known) return true;
  const late = viewOf(title, await filling);
  if (JSON.stringify(late) === JSON.stringify(first)) return true;
  return (await replaceView({ client, workspace }, opened.view, late)) !== undefined;
}

/** @returns undefined if the person has closed the modal below (https://docs.slack.dev/reference/methods/views.push, `not_found`) */
const pushed = (client: webApi.WebClient, view: webApi.ViewsPushArguments) =>
  client.views.push(view).catch((error) => {
    if (platformCode(error) !== 'not_found') throw error;
  });

/** The modal, or one that says why there is none. */
export const viewOf = (title: string, filled: Filling): types.ModalView =>
  'refused' in filled ? textModal(title, filled.refused) : filled;

/** A click about a request. `who`: the request, and the person. `domain`: that of the workspace, as Slack names it. */
export type RequestClick = Clicked & { who: RecordRef & { by: string }; domain: string | undefined };

/**
 * A modal about a request. `title`: shown while it loads and above a refusal; the form may have another one. `fill` returns the
 * form, or why there is none for this person.
 */
export type ModalAboutRequest = {
  title: string;
  fill: (deps: ListenerDeps, click: RequestClick) => Promise<Filling>;
};

/** Opens a modal about a request. @param clicked the request. `mark`: of the modal; left out: that of the click (`byClick`) */
export async function openAboutRequest(
  deps: ListenerDeps,
  args: ActionArgs,
  { title, fill }: ModalAboutRequest,
  { ref, mark }: Pick<Clicked, 'ref'> & Pick<Opener, 'mark'>,
): Promise<void> {
  const { action, body, context } = args;
  const who = { workspace: workspaceOf(context), id: ref.id, by: body.user.id };
  const click = { ref, moment: momentOf(action), who, domain: body.team?.domain };
  const opener = { ...byClick(args), ...(mark && { mark }) };
  await openModal(deps, opener, { title, meanwhile: 'Loading the request…' }, () => fill(deps, click));
}

export const requestFormAction =
  (deps: ListenerDeps, modal: ModalAboutRequest): Listener<ActionArgs> =>
  async (args) => {
    await args.ack();
    await openAboutRequest(deps, args, modal, { ref: readRef(buttonValue(args.action)) });
  };

type View = NonNullable<ActionArgs['body']['view']>;

/** Listens to choices in a modal, after each of which it is drawn anew. @param draw the view as the person saw it (redraw.ts) */
export const redrawAfter =
  (
    redraw: Redraw,
    draw: (view: View, args: ActionArgs, newerMetadata: string | undefined) => ReturnType<Draw>,
  ): Listener<ActionArgs> =>
  async (args) => {
    await args.ack();
    const { view } = args.body;
    if (!view) throw new Error("Slack's payload has no view, so there is none to draw anew.");
    const where = { client: args.client, workspace: workspaceOf(args.context) };
    await redraw(where, view, (newerMetadata) => draw(view, args, newerMetadata));
  };
