/** One word a state: on the card, in its history, in lists of requests, and in the choice of states. */
import { expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { STATE_NAMES, type State } from '../../../src/requests/model/states.ts';
import { historyModal } from '../../../src/slack/features/history/modal.ts';
import { severalMessage, statusMessage } from '../../../src/slack/features/status/text.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { anyRecords } from '../../support/typed/renderings.ts';

/** The texts of what is shown, without emoji. */
const wordsIn = (shown: unknown): string =>
  drawnIn(shown)
    .filter(({ kind }) => kind !== 'emoji')
    .map(({ text }) => text)
    .join('')
    .replace(/ +/g, ' ');

/** The choice of this state in the filter of the history. */
function choiceOf(state: State): string[] {
  const [filters] = historyModal({ type: 'page', records: [], next: undefined }, {}).blocks;
  const options = JSON.stringify(filters).matchAll(
    /"value":"(\w+)","text":\{"type":"plain_text","text":"([^"]+)"/g,
  );
  const [, , text = ''] = [...options].find(([, value]) => value === state) ?? [];
  return text.split(' / ');
}

test('each state is called by a word of its choice in the filter, wherever it is shown', async () => {
  const seen = new Set<State>();
  for (const [name, record] of await anyRecords()) {
    const { state } = record;
    seen.add(state);
    const [word = ''] = choiceOf(state).filter((each) => cardLabel(record) === each);
    expect([name, word]).toEqual([name, cardLabel(record)]);
    const page = { type: 'page' as const, records: [record], next: undefined };
    expect(wordsIn(statusMessage({ record, showsReason: true, link: undefined }))).toContain(` · ${word}`);
    expect(wordsIn(severalMessage([record]))).toContain(` · ${word}`);
    expect(wordsIn(historyModal(page, {}).blocks.slice(1))).toContain(`${record.id} ${word}`);
  }
  expect([...seen].sort()).toEqual([...STATE_NAMES].sort());
});

/** The first words in bold on the card. */
function cardLabel(record: RequestRecord): string {
  return (
    drawnIn(card(record))
      .find(({ kind }) => kind === 'bold')
      ?.text.trim() ?? ''
  );
}
