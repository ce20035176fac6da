import { describe, expect, test } from 'vitest';
import type { HistoryPage } from '../../../src/requests/use-cases/history.ts';
import { historyModal } from '../../../src/slack/features/history/modal.ts';
import { T0 } from '../../support/requests/records.ts';

const shown = (view: ReturnType<typeof historyModal>) => JSON.stringify(view.blocks);

describe('the history without a request that fits', () => {
  test('says so where all were looked through', () => {
    expect(shown(historyModal({ type: 'page', records: [], next: undefined }, {}))).toContain(
      'No requests match.',
    );
  });

  test('says how far back it has looked, and how to look further', () => {
    const view = historyModal({ type: 'page', records: [], next: { at: T0, id: 'r1' } }, { state: 'sent' });
    expect(shown(view)).toMatch(
      /No requests match as far back as <!date\^\d+.*Press Older to look further\./,
    );
    expect(shown(view)).not.toContain('No requests match.');
  });
});

describe('what is unfinished though requests of its age are removed', () => {
  const page = (count: number, more = false): HistoryPage => ({
    type: 'page',
    records: [],
    next: undefined,
    overdue: { count, more, days: 30 },
  });

  test.each([
    [page(1), '1 request has been unfinished for more than 30 days'],
    [page(7), '7 requests have been unfinished for more than 30 days'],
    [page(2_000, true), 'At least 2000 requests have been unfinished for more than 30 days'],
  ])('is counted for admins, with a filter for it (%#)', (given, text) => {
    const view = historyModal(given, {});
    expect(shown(view)).toContain(text);
    expect(shown(view)).toContain('"text":"Unfinished for more than 30 days"');
  });

  test('is not mentioned where there is none, where it is shown already, and to others', () => {
    expect(shown(historyModal(page(0), {}))).not.toContain('been unfinished');
    expect(shown(historyModal(page(7), { overdue: true }))).not.toContain('been unfinished');
    expect(shown(historyModal({ type: 'page', records: [], next: undefined }, {}))).not.toContain(
      'Unfinished for',
    );
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
