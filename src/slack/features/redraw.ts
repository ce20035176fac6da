/**
 * Replaces what open modals show (views.update), and draws them anew: after a choice in them, and beneath another modal, once
 * something was done in that one.
 */
import type { types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import { createInTurn } from '../../in-turn.ts';
import { stampedView } from '../blocks/stamp.ts';
import { platformCode } from '../client/calls.ts';

/** Slack's answers if the person has closed the modal, or it has changed since. */
const CLOSED_OR_CHANGED: ReadonlySet<string | undefined> = new Set(['not_found', 'hash_conflict']);

/** A modal as it was seen. `external_id`: its mark. `hash`: of the view; undefined: whatever it shows now may be replaced. */
export type Seen = { id?: string | undefined; external_id?: string | undefined; hash?: string | undefined };

/** The workspace in which a modal was opened, and the bot's client in it. */
type InWorkspace = { client: webApi.WebClient; workspace: string };

/**
 * Replaces what a modal shows. The mark stays.
 *
 * @param opened with a hash, a newer view is left alone
 * @returns the hash of the new view; undefined: the person does not see it
 */
export async function replaceView(
  { client, workspace }: InWorkspace,
  opened: Seen | undefined,
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

/** A hash is needed until Slack shows the person what was drawn: a moment. */
const MOST_HASHES_REMEMBERED = 1_000;

type Drawn = { hash: string; metadata: string };

/**
 * Draws a modal as its content is now.
 *
 * @param since the metadata of what was drawn here in its place since it was seen; undefined: nothing was
 * @returns undefined: it stays as it is
 */
export type Draw = (since: string | undefined) => Promise<types.ModalView | undefined>;

/** @throws what `draw` throws, and if Slack does not take the view */
export type Redraw = (where: InWorkspace, seen: Seen, draw: Draw) => Promise<void>;

/**
 * Creates the function that draws modals anew.
 *
 * It draws each modal one time after another, so that of two clicks in a row the later one is shown. The hash with which a modal
 * was seen may be older than what was drawn here since. So it stands for the hash of that, and only what others have drawn, such
 * as the answer to a submission, is left alone. Each view has a hash of its own (https://github.com/slackapi/bolt-js/issues/787),
 * and Slack tells of no change to it while another view is on top. All that goes for one replica: if another one has just drawn
 * the first click, the later click is not shown, and the person has to choose once more.
 */
export function createRedraw(): Redraw {
  const inTurn = createInTurn();
  /** The view that was drawn in place of another one, by the hash of that. */
  const followed = createCache<Drawn>(MOST_HASHES_REMEMBERED);
  const newest = (modal: string, hash: string): Drawn | undefined => {
    const next = followed.get(`${modal} ${hash}`);
    return next && (newest(modal, next.hash) ?? next);
  };
  return async (where, { hash, ...opened }, draw) => {
    // Views of two workspaces may have the same id.
    const name = `${where.workspace} ${opened.id}`;
    await inTurn.run(name, async () => {
      const since = hash === undefined ? undefined : newest(name, hash);
      const seen = since?.hash ?? hash;
      const view = await draw(since?.metadata);
      const drawn = view && (await replaceView(where, { ...opened, hash: seen }, view));
      if (seen === undefined || drawn?.hash === undefined || drawn.hash === seen) return;
      followed.set(`${name} ${seen}`, { hash: drawn.hash, metadata: view?.private_metadata ?? '' });
    });
  };
}
