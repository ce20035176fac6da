/**
 * Replaces what open modals show (views.update), and draws them anew: after a choice in them, and beneath another modal, once
 * something was done in that one.
 */
import type { types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import { createInTurn } from '../../in-turn.ts';
import { stampedView } from '../blocks/stamp.ts';
import { platformCode } from '../client/call-slack.ts';

/** Slack's answers if the person has closed the modal, or it has changed since. */
const CLOSED_OR_CHANGED: ReadonlySet<string | undefined> = new Set(['not_found', 'hash_conflict']);

/** A modal as it was seen. `external_id`: its mark. `hash`: of the view; undefined: whatever it shows now may be replaced. */
export type SeenModal = {
  id?: string | undefined;
  external_id?: string | undefined;
  hash?: string | undefined;
};

/** The workspace in which a modal was opened, and the bot's client in it. */
type InWorkspace = { client: webApi.WebClient; workspace: string };

/**
 * Replaces what a modal shows. The mark stays.
 *
 * @param opened if it has a hash, a newer view is left alone
 * @returns the hash of the new view; undefined: nothing was replaced, because the modal was closed or has changed
 */
export async function replaceView(
  { client, workspace }: InWorkspace,
  opened: SeenModal | undefined,
  view: types.ModalView,
): Promise<{ hash: string | undefined } | undefined> {
  if (!opened?.id) return undefined;
  const hash = opened.hash === undefined ? {} : { hash: opened.hash };
  const mark = opened.external_id ? { external_id: opened.external_id } : {};
  try {
    const drawn = stampedView(workspace, { ...view, ...mark });
    const updated = await client.views.update({ view_id: opened.id, ...hash, view: drawn });
    return { hash: updated.view?.hash };
  } catch (error) {
    if (CLOSED_OR_CHANGED.has(platformCode(error))) return undefined;
    throw error;
  }
}

/** Few are kept: a hash is needed only until Slack shows the person the new view, a moment later. */
const MOST_HASHES_REMEMBERED = 1_000;

type Drawn = { hash: string; metadata: string };

/**
 * Draws a modal as its content is now.
 *
 * @param newerMetadata the metadata of the view that was drawn here after the one that the person saw; undefined: none was
 * @returns undefined if the modal stays as it is
 */
export type Draw = (newerMetadata: string | undefined) => Promise<types.ModalView | undefined>;

/** @throws what `draw` throws, and if Slack does not take the view */
export type Redraw = (where: InWorkspace, seen: SeenModal, draw: Draw) => Promise<void>;

/**
 * Creates the function that draws modals anew.
 *
 * It draws a modal only once at a time, so that of two quick clicks the later one is shown. The later click has the hash of
 * the view that the person saw, which the first click has replaced by then. So the newest view that was drawn here in place of
 * that one is updated. A view that others have drawn, such as the answer to a submission, is left alone. Each view has a hash of
 * its own (https://github.com/slackapi/bolt-js/issues/787), and Slack does not report that a view has changed while another one
 * is on top.
 *
 * This works within one replica: if another replica has just drawn the modal for the first click, the later click is not shown,
 * and the person has to choose once more.
 */
export function createRedraw(): Redraw {
  const inTurn = createInTurn();
  /** By modal and hash, the view that was drawn in place of the one with that hash. */
  const successors = createCache<Drawn>(MOST_HASHES_REMEMBERED);
  const newest = (modal: string, hash: string): Drawn | undefined => {
    const next = successors.get(`${modal} ${hash}`);
    return next && (newest(modal, next.hash) ?? next);
  };
  return async (where, { hash, ...opened }, draw) => {
    // Views of two workspaces may have the same id.
    const name = `${where.workspace} ${opened.id}`;
    await inTurn.run(name, async () => {
      const newer = hash === undefined ? undefined : newest(name, hash);
      const seen = newer?.hash ?? hash;
      const view = await draw(newer?.metadata);
      const drawn = view && (await replaceView(where, { ...opened, hash: seen }, view));
      if (seen === undefined || drawn?.hash === undefined || drawn.hash === seen) return;
      successors.set(`${name} ${seen}`, { hash: drawn.hash, metadata: view?.private_metadata ?? '' });
    });
  };
}
