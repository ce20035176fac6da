/** Everything about one request, in a modal. */
import type { types } from '@slack/bolt';
import { CLOSE } from '../../blocks/forms.ts';
import { personSentence } from '../../blocks/problems.ts';
import { LIMITS, plain } from '../../blocks/text.ts';
import type { ListenerDeps } from '../listener.ts';
import { manualResultText } from '../resolve/result-text.ts';
import type { Filling } from '../views.ts';
import { type StatusView, statusBlocks } from './text.ts';

export const DETAILS_TITLE = 'Details';

/** The modal, or why there is none for this person. */
export async function detailsOf(
  { lookUp, links, settings }: ListenerDeps,
  { workspace, id, by }: { workspace: string; id: string; by: string },
): Promise<Filling> {
  const found = await lookUp({ workspace, user: by, query: id });
  if (found.type === 'not_allowed') return { refused: personSentence(found.problem) };
  if (found.type !== 'found') return { refused: manualResultText({ type: 'not_found' }, undefined) };
  const [link, addresses] = await Promise.all([links.toCard(found.record), settings(workspace)]);
  return detailsModal({ ...found, link, paused: addresses.paused, addresses });
}

/** A modal takes a hundred blocks (https://docs.slack.dev/reference/views/modal-views). */
const MOST_BLOCKS = 100;

export function detailsModal(view: StatusView): types.ModalView {
  const whole = statusBlocks(view, true);
  return {
    type: 'modal',
    title: plain(DETAILS_TITLE, LIMITS.modalTitle),
    close: CLOSE,
    blocks: whole.length > MOST_BLOCKS ? statusBlocks(view) : whole,
  };
}
