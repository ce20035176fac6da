/** One word a state: on the card, in its history, and in lists of requests. */
import { expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { STATE_NAMES, type State } from '../../../src/requests/model/states.ts';
import { rowBlocks } from '../../../src/slack/features/history-modal.ts';
import { severalMessage, statusMessage } from '../../../src/slack/features/status.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { shownIn } from '../../support/shown.ts';
import { anyRecords } from '../../support/typed/renderings.ts';

const NO_LINKS = { linkTo: () => undefined };

/** The texts of what is shown, without emoji. */
const wordsIn = (shown: unknown): string =>
  drawnIn(shown)
    .filter(({ kind }) => kind !== 'emoji')
    .map(({ text }) => text)
    .join('')
    .replace(/ +/g, ' ');

test('each state is called by the word on its card, wherever it is shown', async () => {
  const seen = new Set<State>();
  for (const [name, record] of await anyRecords()) {
    seen.add(record.state);
    const { paused } = record;
    const shown = [
      // The status says what the settings say of a pause, and the card what it was told.
      statusMessage({ record, showsReason: true, link: undefined, settings: { ...(paused && { paused }) } }),
      severalMessage({ records: [record] }, NO_LINKS),
      rowBlocks({ record, actions: [] }, NO_LINKS),
    ];
    for (const each of shown)
      expect([name, wordsIn(each)]).toEqual([name, expect.stringContaining(` · ${cardLabel(record)}`)]);
  }
  expect([...seen].sort()).toEqual([...STATE_NAMES].sort());
});

/** The words behind the deed in the heading of the card. */
const cardLabel = (record: RequestRecord): string =>
  /· ([^·\n]+?)(?: ·|\n|$)/.exec(shownIn(card(record)).replace(/:\w+: /g, ''))?.[1]?.trim() ?? '';
