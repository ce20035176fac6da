import { describe, expect, test } from 'vitest';
import { historyModal } from '../../src/slack/ui/history-modal.ts';
import { T0 } from '../support/records.ts';

const shown = (view: ReturnType<typeof historyModal>) => JSON.stringify(view.blocks);

describe('the history without a request that fits', () => {
  test('says so where all were looked through', () => {
    expect(shown(historyModal({ type: 'page', records: [], next: undefined }, {}))).toContain(
      'No request fits.',
    );
  });

  test('says how far back it has looked, and how to look further', () => {
    const view = historyModal({ type: 'page', records: [], next: { at: T0, id: 'r1' } }, { state: 'sent' });
    expect(shown(view)).toMatch(/No request fits as far back as <!date\^\d+.*Press Older to look further\./);
    expect(shown(view)).not.toContain('No request fits.');
  });
});

test('no two choices of a filter of the history read alike', () => {
  const filters = shown(historyModal({ type: 'page', records: [], next: undefined }, {}));
  const selects = [...filters.matchAll(/"options":(\[.*?\}\}\])/g)].map(([, options = '']) =>
    [...options.matchAll(/"text":"([^"]+)"/g)].map(([, label]) => label),
  );
  expect(selects).toHaveLength(2);
  expect(selects[0]).toContain('Being sent');
  for (const labels of selects) expect(new Set(labels).size).toBe(labels.length);
});
