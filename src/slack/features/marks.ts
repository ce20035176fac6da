/**
 * Redraws what lies beneath a modal, the Home tab or the list of requests, once something was done in the modal. Slack names
 * neither of them in the submission, but gives back the modal's own external_id. So the modal says it by that, its mark:
 * 1. Whoever opens the modal gives it a mark: `markOnHome` (by `byClick` in views.ts) or `markOnHistory` (history.ts).
 * 2. `submissionOver`, around the listener of each form (routes.ts), reads the mark. It passes the mark on to the view with which
 *    the form is answered, and redraws the place that the mark names, by `redrawHome` or `redrawHistory`.
 * 3. A click on a button in the modal redraws the Home tab by the same mark (`actionOnHome` in home/index.ts).
 */
import type { types, ViewResponseAction } from '@slack/bolt';
import { LIMITS } from '../blocks/text.ts';
import type { Listener, ViewArgs } from './listener.ts';
import type { Seen } from './redraw.ts';

/** The place beneath a modal. `hash`: of the list's view. `chosen`: what the person has chosen there, JSON, or ''. */
export type Beneath = { place: 'home' | 'history'; hash?: string; chosen: string };

/** Added to the mark of a modal for that of the modal beneath it. */
const BENEATH = ' beneath';
const ROOM = LIMITS.externalId - BENEATH.length;

/**
 * @param triggerId opens a single modal, and no two modals of a workspace may have the same external_id
 *   (https://docs.slack.dev/reference/views/modal-views)
 * @returns undefined if what was chosen there leaves no room
 */
export function writeMark(triggerId: string, { place, hash = '', chosen }: Beneath): string | undefined {
  const mark = `${place} ${triggerId} ${hash} ${chosen}`;
  return mark.length <= ROOM ? mark : undefined;
}

/** @returns undefined if the text is no mark */
export function readMark(mark = ''): Beneath | undefined {
  const [, place, hash = '', chosen = ''] = /^(home|history) \S+ (\S*) (\{.*\})?/s.exec(mark) ?? [];
  return place === 'home' || place === 'history' ? { place, hash, chosen } : undefined;
}

/** Something that was done, perhaps in a view. */
export type InView = { view?: { type: string; external_id?: string; private_metadata?: string } | undefined };

/** Whether something was done on the Home tab, or in a modal that was opened on it. */
export const isOnHome = ({ view }: InView): boolean =>
  view?.type === 'home' || readMark(view?.external_id)?.place === 'home';

/** The mark of a modal that is opened on the Home tab, or on such a modal. Where it finds no room, the tab begins anew. */
export function markOnHome({ view }: InView, triggerId: string): string | undefined {
  if (!view || !isOnHome({ view })) return undefined;
  const { type, private_metadata = '', external_id } = view;
  const chosen = type === 'home' ? private_metadata : (readMark(external_id)?.chosen ?? '');
  const onHome = { place: 'home', chosen } as const;
  return writeMark(triggerId, onHome) ?? writeMark(triggerId, { ...onHome, chosen: '' });
}

/** Redraws what lies beneath a form that was submitted. */
export type RedrawBeneath = (beneath: Beneath, args: ViewArgs) => Promise<void>;

/**
 * Wraps the listener of a form that may have been opened over the Home tab or the list: that is redrawn after the submission.
 *
 * @param redraw by what lies beneath
 */
export function submissionOver(
  listener: Listener<ViewArgs>,
  redraw: Readonly<Record<Beneath['place'], RedrawBeneath>>,
): Listener<ViewArgs> {
  return async (args) => {
    const beneath = readMark(args.view.external_id);
    if (!beneath) return listener(args);
    await listener({ ...args, ack: (answer) => args.ack(answer && withMark(answer, beneath, args)) });
    await redraw[beneath.place](beneath, args);
  };
}

/**
 * Marks the view with which a form is answered: in the place of the form by the form's own mark, on top of it by a new one. Of the
 * trigger of a submission only Bolt tells (https://docs.slack.dev/tools/bolt-js/reference/interfaces/ViewSubmitAction): without
 * one, the view has no mark.
 */
function withMark(answer: ViewResponseAction, beneath: Beneath, { body, view }: ViewArgs) {
  if (answer.response_action !== 'update' && answer.response_action !== 'push') return answer;
  const isOnTop = answer.response_action === 'push';
  const external_id = isOnTop ? body.trigger_id && writeMark(body.trigger_id, beneath) : view.external_id;
  return { ...answer, view: { ...answer.view, external_id } as types.ModalView };
}

/**
 * The modal beneath a submitted one. Slack names only its id, so its mark is made of the mark on top: both lie over the same place.
 *
 * @param hash of the modal beneath when the one on top was opened
 */
export function viewBeneath(
  { previous_view_id, external_id }: Pick<ViewArgs['view'], 'previous_view_id' | 'external_id'>,
  hash: string | undefined,
): Seen {
  const mark = external_id && { external_id: `${external_id}${BENEATH}` };
  return { id: previous_view_id ?? undefined, hash, ...mark };
}
