/**
 * Redraws what lies beneath a modal, the Home tab or the list of requests, once something was done in the modal. In the
 * submission Slack names neither of them, but gives back the modal's own external_id. So that id says what lies beneath: it is
 * the modal's mark.
 * 1. The opener of a modal gives it a mark: `markOnHome` (by `byClick` in modals.ts) or `markOnHistory` (history.ts).
 * 2. `submissionOver`, around the listener of each form (routes.ts), reads the mark. It passes the mark on to the view with which
 *    the form is answered, and redraws the place that the mark names, by `redrawHome` or `redrawHistory`.
 * 3. A click on a button in the modal redraws the Home tab by the same mark (`actionOnHome` in home/index.ts).
 */
import type { types, ViewResponseAction } from '@slack/bolt';
import { LIMITS } from '../blocks/text.ts';
import type { Listener, ViewArgs } from './listener.ts';
import type { SeenModal } from './redraw.ts';

/** The place beneath a modal. `hash`: of the list's view. `chosen`: what the person has chosen there, JSON, or ''. */
export type Beneath = { place: 'home' | 'history'; hash?: string; chosen: string };

/** Appended to the mark of a modal to make the mark of the modal beneath it. */
const BENEATH = ' beneath';
const ROOM = LIMITS.externalId - BENEATH.length;

/**
 * Writes a mark.
 *
 * @param triggerId makes the mark unique: a trigger opens a single modal, and no two modals of a workspace may have the same
 *   external_id (https://docs.slack.dev/reference/views/modal-views)
 * @returns undefined if `chosen` leaves no room
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

/** The part of a payload that says in which view something was done; without `view`: in a message. */
export type InView = { view?: { type: string; external_id?: string; private_metadata?: string } | undefined };

/** Whether something was done on the Home tab, or in a modal that was opened on it. */
export const isOnHome = ({ view }: InView): boolean =>
  view?.type === 'home' || readMark(view?.external_id)?.place === 'home';

/**
 * The mark of a modal that is opened on the Home tab, or on a modal over it. If what was chosen on the tab leaves no room in the
 * mark, it is left out: the tab is then redrawn without those choices.
 */
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
 * Wraps the listener of a form that may lie over the Home tab or the list: what lies beneath is redrawn after the submission.
 *
 * @param redraw by the place beneath
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
 * Marks the view with which a form is answered: a view in place of the form gets the form's own mark, a view on top of it a new
 * one. Only Bolt documents a trigger for submissions
 * (https://docs.slack.dev/tools/bolt-js/reference/interfaces/ViewSubmitAction): without one, the view on top has no mark.
 */
function withMark(answer: ViewResponseAction, beneath: Beneath, { body, view }: ViewArgs) {
  if (answer.response_action !== 'update' && answer.response_action !== 'push') return answer;
  const isOnTop = answer.response_action === 'push';
  const external_id = isOnTop ? body.trigger_id && writeMark(body.trigger_id, beneath) : view.external_id;
  return { ...answer, view: { ...answer.view, external_id } as types.ModalView };
}

/**
 * The modal beneath a submitted one. Slack names only its id, so its mark is made from the mark of the submitted one: both lie
 * over the same place.
 *
 * @param hash of the modal beneath when the one on top was opened
 */
export function viewBeneath(
  { previous_view_id, external_id }: Pick<ViewArgs['view'], 'previous_view_id' | 'external_id'>,
  hash: string | undefined,
): SeenModal {
  const mark = external_id && { external_id: `${external_id}${BENEATH}` };
  return { id: previous_view_id ?? undefined, hash, ...mark };
}
