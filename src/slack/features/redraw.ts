/** Draws open modals anew: after a choice in them, and beneath another modal, once something was done in that one. */
import type { types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import { createInTurn } from '../../in-turn.ts';
import { type ActionArgs, type Listener, workspaceOf } from './listener.ts';
import { replaceView, type Seen } from './views.ts';

const MOST_HASHES_REMEMBERED = 10_000;

/** A view that was drawn here. */
type Drawn = { hash: string; metadata: string };

/**
 * Draws a modal as its content is now.
 *
 * @param since the metadata of what was drawn here in its place since it was seen; undefined: nothing was
 * @returns undefined: it stays as it is
 */
type Draw = (since: string | undefined) => Promise<types.ModalView | undefined>;

/** @throws what `draw` throws, and if Slack does not take the view */
export type Redraw = (
  where: { client: webApi.WebClient; workspace: string },
  seen: Seen,
  draw: Draw,
) => Promise<void>;

/**
 * Creates the function that draws modals anew.
 *
 * It draws each modal one time after another, so that of two clicks in a row the later one is shown. The hash with which a modal
 * was seen may be older than what was drawn here since. So it stands for the hash of that, and only what others have drawn, such
 * as the answer to a submission, is left alone. A modal keeps its hash while another one is on top of it: each view has its own
 * (https://github.com/slackapi/bolt-js/issues/787). All that goes for one replica: if another one has just drawn the first click,
 * the later click is not shown, and the person has to choose once more.
 */
export function createRedraw(): Redraw {
  const inTurn = createInTurn();
  /** What was drawn in place of a view, by the hash of that. */
  const followed = createCache<Drawn>(MOST_HASHES_REMEMBERED);
  const newest = (modal: string, hash: string): Drawn | undefined => {
    const next = followed.get(`${modal} ${hash}`);
    return next && (newest(modal, next.hash) ?? next);
  };
  return async ({ client, workspace }, { hash, ...opened }, draw) => {
    // Views of two workspaces may have the same id.
    const name = `${workspace} ${opened.id}`;
    await inTurn.run(name, async () => {
      const since = hash === undefined ? undefined : newest(name, hash);
      const seen = since?.hash ?? hash;
      const view = await draw(since?.metadata);
      const drawn = view && (await replaceView(client, { ...opened, hash: seen }, view));
      if (seen === undefined || drawn?.hash === undefined || drawn.hash === seen) return;
      followed.set(`${name} ${seen}`, { hash: drawn.hash, metadata: view?.private_metadata ?? '' });
    });
  };
}

type View = NonNullable<ActionArgs['body']['view']>;

/** Listens to choices in a modal, after each of which it is drawn anew. @param draw the view as the person saw it */
export const redrawAfter =
  (redraw: Redraw, draw: (view: View, args: ActionArgs) => Promise<types.ModalView>): Listener<ActionArgs> =>
  async (args) => {
    await args.ack();
    const { view } = args.body;
    if (!view) throw new Error("Slack's payload has no view, so there is none to draw anew.");
    const { id, external_id, hash } = view;
    const where = { client: args.client, workspace: workspaceOf(args.context) };
    await redraw(where, { id, external_id, hash }, () => draw(view, args));
  };
