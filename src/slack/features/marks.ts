/**
 * Marks modals by what lies beneath them, so that this is drawn anew after their submission, in which Slack names neither the Home
 * tab nor what a list shows. A mark is the modal's external_id, which Slack gives back. No two modals of a workspace may have the
 * same one (https://docs.slack.dev/reference/views/modal-views); each is made of a trigger, which opens a single modal.
 */
import { LIMITS } from '../blocks/text.ts';

/**
 * The Home tab or the list of requests, beneath a modal. `hash`: of the list's view. `chosen`: what the person has chosen there,
 * JSON, or ''.
 */
export type Beneath = { place: 'home' | 'history'; hash?: string; chosen: string };

/** Added to the mark of a modal for the view beneath it. */
const BENEATH = ' beneath';
const ROOM = LIMITS.externalId - BENEATH.length;

/** @returns undefined if what was chosen there leaves no room */
export function writeMark(triggerId: string, { place, hash = '', chosen }: Beneath): string | undefined {
  const mark = `${place} ${triggerId} ${hash} ${chosen}`;
  return mark.length <= ROOM ? mark : undefined;
}

/** @returns undefined if the text is no mark */
export function readMark(mark = ''): Beneath | undefined {
  const [, place, hash = '', chosen = ''] = /^(home|history) \S+ (\S*) (\{.*\})?/s.exec(mark) ?? [];
  return place === 'home' || place === 'history' ? { place, hash, chosen } : undefined;
}

/** The mark of the view beneath the modal with this mark: Slack names only its id, so it is made of the one on top. */
export const markBeneath = (mark: string): string => `${mark}${BENEATH}`;

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
