/** Modals that are drawn anew while others draw them, too. */
import { type types, webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { stamped } from '../../../src/slack/blocks/stamp.ts';
import { createRedraw } from '../../../src/slack/listeners/redraw.ts';

const viewOf = (private_metadata: string) =>
  ({ type: 'modal', private_metadata, blocks: [] }) as unknown as types.ModalView;

/** A modal that is open in Slack. */
function openModal() {
  const shown = { hash: 'h0', metadata: 'opened' };
  const redraw = createRedraw();
  const update = async ({ hash, view }: { hash?: string; view: types.ModalView }) => {
    if (hash !== undefined && hash !== shown.hash)
      throw new webApi.WebAPIPlatformError({ ok: false, error: 'hash_conflict' });
    Object.assign(shown, { hash: `${shown.hash}+`, metadata: view.private_metadata });
    return { view: { hash: shown.hash } };
  };
  const where = { client: { views: { update } } as unknown as webApi.WebClient, workspace: 'T1' };
  return {
    shown,
    /** @param hash with which the modal was seen */
    draw: (hash: string | undefined, draw: Parameters<typeof redraw>[2]) =>
      redraw(where, { id: 'V1', hash }, draw),
  };
}

test('whoever draws a modal is told what was drawn there since they saw it', async () => {
  const { draw } = openModal();
  const since: (string | undefined)[] = [];
  const drawing = (metadata: string) => async (other: string | undefined) => {
    since.push(other);
    return viewOf(metadata);
  };
  await draw('h0', drawing('first'));
  await draw('h0', drawing('second'));
  await draw('h0++', drawing('third'));
  await draw('h0+', drawing('fourth'));
  expect(since).toEqual([undefined, 'first', undefined, 'third']);
});

test('a modal is drawn by one at a time, so that what was read last is shown', async () => {
  const { draw, shown } = openModal();
  const slow = Promise.withResolvers<types.ModalView>();
  const all = [draw('h0', () => slow.promise), draw('h0', async () => viewOf('later'))];
  await new Promise(setImmediate);
  expect(shown.metadata).toBe('opened');
  slow.resolve(viewOf('earlier'));
  await Promise.all(all);
  expect(shown.metadata).toBe(stamped('T1', 'later'));
});

test('a modal stays as it is if there is nothing to draw, or if others have drawn it', async () => {
  const { draw, shown } = openModal();
  await draw('h0', async () => undefined);
  expect(shown).toEqual({ hash: 'h0', metadata: 'opened' });
  Object.assign(shown, { hash: 'theirs', metadata: 'saved' });
  await draw('h0', async () => viewOf('older'));
  expect(shown.metadata).toBe('saved');
});

test('a modal whose hash is not known is drawn whatever it shows', async () => {
  const { draw, shown } = openModal();
  await draw(undefined, async () => viewOf('drawn'));
  expect(shown.metadata).toBe(stamped('T1', 'drawn'));
});
