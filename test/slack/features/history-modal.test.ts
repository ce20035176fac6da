import { describe, expect, test } from 'vitest';
import type { HistoryPage } from '../../../src/requests/use-cases/history.ts';
import { ROW_ACTIONS } from '../../../src/requests/use-cases/history.ts';
import { ACTIONS } from '../../../src/slack/blocks/ids.ts';
import { history, markOnHistory } from '../../../src/slack/features/history.ts';
import {
  type Chosen,
  historyModal,
  readList,
  readSearch,
  UNFILTERED,
} from '../../../src/slack/features/history-modal.ts';
import { createRedraw } from '../../../src/slack/listeners/redraw.ts';
import { carded, queued, T0 } from '../../support/requests/records.ts';

const EMPTY: Extract<HistoryPage, { type: 'page' }> = {
  type: 'page',
  rows: [],
  next: undefined,
  calendar: { zone: 'Europe/Berlin', today: '2026-11-25' },
};
const LINK = 'https://acme.slack.com/archives/C1/p1';

const modal = (page: Partial<Extract<HistoryPage, { type: 'page' }>>, chosen: Partial<Chosen> = {}) =>
  historyModal({ ...EMPTY, ...page }, { ...UNFILTERED, ...chosen }, { linkTo: () => LINK });
const shown = (...given: Parameters<typeof modal>) => JSON.stringify(modal(...given).blocks);

describe('the requests without one that fits', () => {
  test('say that none is open, and where to look', () => {
    expect(shown({})).toContain('No request is open. Choose *All requests* to see those that have ended.');
  });

  test('say so where something was chosen', () => {
    for (const chosen of [{ group: 'sent' }, { day: 'today' }, { requester: 'U1' }] as const)
      expect(shown({}, chosen)).toContain('No requests match.');
  });

  test('say how an id that is not there should look', () => {
    expect(shown({}, { id: 'A-*9*' })).toContain('No request in this workspace has the id');
    expect(shown({}, { id: 'A-9' })).not.toContain('history_group');
  });
});

describe('the buttons of a page', () => {
  const next = { at: T0, id: 'r1' };

  test.each([
    ['the only page', {}, {}, []],
    ['the first page of several', { next }, {}, ['Older']],
    ['a page between others', { next }, { before: next }, ['Newest', 'Older']],
    ['the last page', {}, { before: next }, ['Newest']],
    ['a filter', { next }, { group: 'all' as const }, ['Older', 'Clear the filters']],
    ['an id', {}, { id: 'A-1', group: 'all' as const }, []],
  ])('%s', (_name, page, chosen, buttons) => {
    const found = [...shown(page, chosen).matchAll(/"type":"button".*?"text":"([^"]+)"/g)];
    expect(found.map(([, text]) => text)).toEqual(buttons);
  });
});

test('a search by id says whether there are older requests than those that it shows', () => {
  expect(shown({ isCut: true }, { id: 'A-1' })).toContain('Only the newest ten are shown.');
  expect(shown({ isCut: false }, { id: 'A-1' })).not.toContain('newest ten');
});

describe('a day', () => {
  test('is chosen in a calendar, which begins today, and is said to begin at midnight somewhere', () => {
    expect(shown({}, { day: 'date' })).toContain('"initial_date":"2026-11-25"');
    expect(shown({}, { day: 'date', date: '2026-11-02' })).toContain('"initial_date":"2026-11-02"');
    expect(shown({}, { day: 'yesterday' })).not.toContain('initial_date');
    expect(shown({}, { day: 'yesterday' })).toContain('time zone Europe/Berlin');
    expect(shown({})).not.toContain('time zone');
  });
});

describe('a request', () => {
  test('has a link to its thread, and a menu of what its reader may do', () => {
    const view = shown({ rows: [{ record: carded(), actions: ROW_ACTIONS }] });
    expect(view).toContain(`<${LINK}|Open the thread>`);
    const entries = [...view.matchAll(/"text":"(Details|Record the outcome|Withdraw|Retry|Request again)"/g)];
    expect(entries.map(([, text]) => text)).toEqual([
      'Details',
      'Record the outcome',
      'Withdraw',
      'Retry',
      'Request again',
    ]);
  });

  test('has its details in the menu where its reader may do nothing else, also if rich text shows its id', () => {
    for (const record of [carded(), queued({ target: 'A*1*' })]) {
      const view = shown({ rows: [{ record, actions: [] }] });
      expect([...view.matchAll(/"value":"details /g)]).toHaveLength(1);
    }
  });
});

describe('what was chosen is read again', () => {
  const filledIn = (chosen: Chosen, values: object) => ({
    private_metadata: modal({}, chosen).private_metadata ?? '',
    state: { values },
  });
  const back = (chosen: Chosen, values: object) => readList(filledIn(chosen, values)).chosen;
  const id = (value: string | null) => ({ history_id: { history_id: { value } } });

  test('from the filters, and from the metadata where they are not shown', () => {
    const filters = {
      'history:2': {
        history_group: { selected_option: { value: 'refused' } },
        history_day: { selected_option: { value: 'date' } },
        history_date: { selected_date: '2026-11-24' },
        history_person: { selected_user: 'U1' },
      },
    };
    const chosen = {
      id: '',
      group: 'refused',
      day: 'date',
      date: '2026-11-24',
      requester: 'U1',
      round: 2,
    } as const;
    const first = { ...UNFILTERED, round: 2 };
    expect(back(first, { ...id(null), ...filters })).toEqual(chosen);
    expect(back(chosen, {})).toEqual(chosen);
  });

  test('and a typed id only as a search: until then the list shows what it did', () => {
    const searched = { ...UNFILTERED, id: 'A-2' };
    expect(back(UNFILTERED, id('A-1'))).toEqual(UNFILTERED);
    expect(back(searched, id(null))).toEqual(searched);
    expect(readSearch(filledIn(UNFILTERED, id('A-1')))).toEqual({ ...UNFILTERED, id: 'A-1' });
    expect(readSearch(filledIn(searched, id(null)))).toEqual(UNFILTERED);
  });

  test('and nothing that somebody has made up', () => {
    const made = {
      history_group: { selected_option: { value: 'none' } },
      history_day: { selected_option: null },
    };
    expect(back(UNFILTERED, { ...id(''), 'history:0': made, 'history:1': 7 })).toEqual(UNFILTERED);
    expect(readList({ private_metadata: '{"chosen":7}', state: { values: id('') } }).chosen).toEqual(
      UNFILTERED,
    );
  });
});

test('no two choices of a filter read alike', () => {
  const selects = [...shown({}).matchAll(/"options":(\[.*?\}\}\])/g)].map(([, options = '']) =>
    [...options.matchAll(/"text":"([^"]+)"/g)].map(([, label]) => label),
  );
  expect(selects).toHaveLength(2);
  for (const labels of selects) expect(new Set(labels).size).toBe(labels.length);
});

describe('what the list shows', () => {
  const trigger = '1795622193310.738474920.17863dd352522316a1eef8f94078d71c';

  const listOf = (chosen: Partial<Chosen>) => {
    const { private_metadata = '', callback_id = '' } = modal({}, chosen);
    return { private_metadata, callback_id, state: { values: {} }, hash: '1795622193.b3tMsKwT' };
  };

  test('is in the mark of no other window, whatever calls itself a menu of it', () => {
    expect(markOnHistory({ ...listOf({}), callback_id: 'settings' }, trigger)).toBeUndefined();
  });

  test('is kept in the mark of a window on top of it, as far as Slack has room for it', () => {
    const chosen: Chosen = {
      id: '',
      group: 'canceled',
      day: 'date',
      date: '2026-11-02',
      requester: 'U0123456789',
      before: { at: T0, id: 'r1234567890abcdef' },
      round: 12,
    };
    expect(markOnHistory(listOf(chosen), trigger)?.length).toBeLessThan(255);
    expect(markOnHistory(listOf({ id: 'A'.repeat(60) }), trigger)?.length).toBeLessThan(255);
    expect(markOnHistory(listOf({ id: 'A'.repeat(200) }), trigger)).toBeUndefined();
  });
});

test('of two filters chosen in a row the later one is shown, however long the first page takes to read', async () => {
  const [first, drawn] = [Promise.withResolvers<void>(), [] as string[]];
  const read: unknown[] = [];
  const { actions } = history({
    async readHistory({ filter }: { filter: { group: string } }) {
      read.push(filter.group);
      if (filter.group === 'open') await first.promise;
      return EMPTY;
    },
    links: { linkTo: () => LINK },
    directory: { about: async () => undefined },
    settings: async () => ({}),
    redraw: createRedraw(),
  } as never);
  const update = async ({ view }: { view: { private_metadata: string } }) => {
    drawn.push(view.private_metadata);
    return {};
  };
  const choose = (group: 'open' | 'ended') => {
    const values = { history_id: { history_id: { value: null } } };
    const view = { ...modal({}, { group }), id: 'V1', state: { values } };
    const body = { view, user: { id: 'U1' } };
    const args = { ack: async () => {}, body, client: { views: { update } }, context: { teamId: 'T1' } };
    return actions?.[ACTIONS.historyGroup]?.(args as never);
  };
  const chosen = [choose('open'), choose('ended')];
  await expect.poll(() => read).toContain('open');
  await new Promise(setImmediate);
  first.resolve();
  await Promise.all(chosen);
  expect(drawn).toHaveLength(2);
  expect(drawn[1]).toContain('ended');
});
