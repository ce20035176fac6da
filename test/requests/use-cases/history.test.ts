import { describe, expect, test } from 'vitest';
import type { Cursor } from '../../../src/outbox/record-store.ts';
import type { NewRequest } from '../../../src/requests/model/new-record.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import type { Directory, Person } from '../../../src/requests/ports/ports.ts';
import {
  boundsOf,
  calendarOf,
  type Day,
  type HistoryFilter,
  type HistoryPage,
  readHistory,
} from '../../../src/requests/use-cases/history.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { queued, restingEntry, T0 } from '../../support/requests/records.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

const DAY = 86_400_000;

const MEMBER: Person = {
  id: 'U1',
  ownTeam: true,
  isBot: false,
  isDeactivated: false,
  isGuest: false,
  isAdmin: false,
};

function requested(n: number, given: Partial<NewRequest & Pick<RequestRecord, 'state'>>, at: number) {
  const { state, ...more } = given;
  const record = queued({ id: `r${n}`, ...more }, at);
  return state ? { ...record, state } : record;
}

type Asked = { person?: Person; id?: string; directory?: Partial<Directory>; settings?: Settings };

/** A workspace with so many requests, r0 the oldest of them, a second after each other. */
async function workspace(
  count: number,
  given: (n: number) => Partial<NewRequest & Pick<RequestRecord, 'state'>> = () => ({}),
  stepMs = 1_000,
) {
  let now = T0 + (count - 1) * stepMs + 1;
  const store = createSqliteRecordStore(databaseInMemory(), 'requests', RequestRecord, () => now);
  for (let n = 0; n < count; n++) {
    await store.create(restingEntry(requested(n, given(n), T0 + n * stepMs)));
  }
  let [reads, records] = [0, 0];
  const counted: typeof store = {
    ...store,
    list: async (...args) => {
      reads += 1;
      const found = await store.list(...args);
      records += found.length;
      return found;
    },
  };
  const read = (
    filter: HistoryFilter = {},
    before?: Cursor,
    { person = MEMBER, id, ...given }: Asked = {},
  ) => {
    const directory = { ...directoryOf(), person: async () => person, ...given.directory };
    const deps = {
      store: counted,
      directory,
      workspaces: workspacesWith(given.settings),
    };
    return readHistory(deps, { workspace: 'T1', user: 'U1', filter, before, id });
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { read, reads: () => ({ reads, records }), wait };
}

const idsOf = (page: HistoryPage) => (page.type === 'page' ? page.rows.map(({ record }) => record.id) : []);
const nextOf = (page: HistoryPage) => (page.type === 'page' ? page.next : undefined);

/** All pages, one after the other. */
async function turn(
  read: (filter: HistoryFilter, before?: Cursor) => Promise<HistoryPage>,
  filter: HistoryFilter,
) {
  const pages: string[][] = [];
  let before: Cursor | undefined;
  do {
    const page = await read(filter, before);
    pages.push(idsOf(page));
    before = nextOf(page);
  } while (before);
  return pages;
}

describe('the history', () => {
  test('shows ten requests to a page, the newest first, each of them once', async () => {
    const { read } = await workspace(25);
    const pages = await turn(read, {});
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, i) => `r${24 - i}`));
  });

  test('loses and doubles none that were requested in the same millisecond', async () => {
    const { read } = await workspace(25, undefined, 0);
    const ids = (await turn(read, {})).flat();
    expect([ids.length, new Set(ids).size]).toEqual([25, 25]);
  });

  test('ends without a further page where the last one is full', async () => {
    const { read } = await workspace(10);
    expect(nextOf(await read())).toBeUndefined();
  });

  test('turns its pages within a filter', async () => {
    const state = (n: number) => ({ state: n % 3 === 0 ? ('sent' as const) : ('queued' as const) });
    const { read } = await workspace(45, state);
    const pages = await turn(read, { group: 'sent' });
    expect(pages.map((page) => page.length)).toEqual([10, 5]);
    expect(pages.flat()).toEqual(Array.from({ length: 15 }, (_, i) => `r${42 - 3 * i}`));
  });

  test('shows what fits all that is chosen', async () => {
    const { read } = await workspace(4, (n) => ({
      requester: n < 2 ? 'U1' : 'U2',
      state: n % 2 === 0 ? 'queued' : 'sent',
    }));
    expect(idsOf(await read({ requester: 'U2', group: 'sent' }))).toEqual(['r3']);
    expect(idsOf(await read({ requester: 'U2', group: 'open' }))).toEqual(['r2']);
    expect(idsOf(await read({ requester: 'U2', group: 'refused' }))).toEqual([]);
    expect(idsOf(await read({ requester: 'U1' }))).toEqual(['r1', 'r0']);
  });

  test('shows the requests of a day, page by page', async () => {
    // From noon on, one an hour: the newest is from three o'clock in the morning of the day after the next one.
    const { read } = await workspace(40, undefined, DAY / 24);
    expect(await turn(read, { day: 'today' })).toEqual([ids(39, 4)]);
    expect(await turn(read, { day: 'yesterday' })).toEqual([ids(35, 10), ids(25, 10), ids(15, 4)]);
    expect(await turn(read, { day: { date: '2026-11-21' } })).toEqual([ids(11, 10), ids(1, 2)]);
    expect(await turn(read, { day: { date: '2020-01-01' } })).toEqual([[]]);
    const person = { ...MEMBER, timeZone: 'America/Los_Angeles' };
    const page = await read({ day: 'today' }, undefined, { person });
    expect([idsOf(page), page]).toMatchObject([ids(39, 10), { calendar: { zone: 'America/Los_Angeles' } }]);
  });

  test.each(['today', 'yesterday'] as const)(
    'keeps to the day that was %s when its first page was drawn, also after midnight',
    async (day) => {
      const { read, wait } = await workspace(15);
      if (day === 'yesterday') wait(DAY);
      const first = await read({ day });
      wait(DAY);
      const next = first.type === 'page' ? first.next : undefined;
      expect([idsOf(first), idsOf(await read({ day }, next))]).toEqual([ids(14, 10), ids(4, 5)]);
    },
  );

  test('finds a request, or those for an order, whatever the filter says', async () => {
    const { read } = await workspace(30, (n) => ({
      target: n % 10 === 0 ? 'A-7' : `A-1${n}`,
      state: 'denied',
    }));
    const group = 'open';
    expect(idsOf(await read({ group }, undefined, { id: 'r3' }))).toEqual(['r3']);
    expect(idsOf(await read({ group }, undefined, { id: ' a-7. ' }))).toEqual(['r20', 'r10', 'r0']);
    expect(idsOf(await read({ group }, undefined, { id: 'nothing' }))).toEqual([]);
  });

  test('finds the ten newest requests for an order, and says whether there are more', async () => {
    const { read } = await workspace(21, (n) => ({ target: n < 10 ? 'A-10' : 'A-11' }));
    const found = async (id: string) => read({}, undefined, { id });
    expect(await found('A-10')).toMatchObject({ isCut: false, next: undefined });
    expect(await found('A-11')).toMatchObject({ isCut: true, next: undefined });
    expect(idsOf(await found('A-11'))).toEqual(ids(20, 10));
  });

  test.each<[string, HistoryFilter]>([
    ['state', { group: 'sent' }],
    ['requester', { requester: 'U7' }],
    ['state and requester', { group: 'sent', requester: 'U7' }],
    ['day', { day: { date: new Date(T0).toISOString().slice(0, 10) } }],
    [
      'state, requester and day',
      { group: 'sent', requester: 'U7', day: { date: new Date(T0).toISOString().slice(0, 10) } },
    ],
  ])('finds what is rare by its %s in one read, however many requests there are', async (_name, filter) => {
    const { read, reads } = await workspace(
      600,
      (n) => (n === 0 ? { requester: 'U7', state: 'sent' } : {}),
      DAY,
    );
    const page = await read(filter);
    expect([idsOf(page), nextOf(page), reads()]).toEqual([['r0'], undefined, { reads: 1, records: 1 }]);
  });

  test('shows every open request, however old it is', async () => {
    const { read } = await workspace(25, () => ({}), 10 * DAY);
    expect((await turn(read, { group: 'open' })).flat()).toEqual(ids(24, 25));
  });

  test('shows nothing for admins while Slack does not list the group of those', async () => {
    const { read } = await workspace(1);
    const isInGroup = () => Promise.reject(new Error('Slack lists no members'));
    const directory = { isOrgWide: async () => true, isInGroup };
    const page = await read({}, undefined, { directory, settings: { admins: 'S1' } });
    expect(idsOf(page)).toEqual(['r0']);
  });

  test.each<[string, Person]>([
    ['guests', { ...MEMBER, isGuest: true }],
    ['externalUsers', { ...MEMBER, ownTeam: false }],
    ['deactivated members', { ...MEMBER, isDeactivated: true }],
    ['bots', { ...MEMBER, isBot: true }],
  ])('tells %s nothing', async (_name, person) => {
    const { read, reads } = await workspace(1);
    expect((await read({}, undefined, { person })).type).toBe('not_allowed');
    expect((await read({}, undefined, { person, id: 'r0' })).type).toBe('not_allowed');
    expect(reads().reads).toBe(0);
  });
});

/** So many ids, from this one to older ones. */
const ids = (from: number, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, i) => `r${from - i}`);

const NOON = Date.UTC(2026, 10, 25, 12);
const iso = (day: Day, zone: string | undefined, now = NOON) => {
  const { from, to } = boundsOf(day, calendarOf(zone, now));
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
};

describe('a day begins at midnight where the person is', () => {
  test.each<[Day, string | undefined, string, string]>([
    ['today', 'UTC', '2026-11-25T00:00', '2026-11-26T00:00'],
    ['yesterday', 'UTC', '2026-11-24T00:00', '2026-11-25T00:00'],
    ['today', 'Europe/Amsterdam', '2026-11-24T23:00', '2026-11-25T23:00'],
    ['yesterday', 'America/Los_Angeles', '2026-11-24T08:00', '2026-11-25T08:00'],
    // It is tomorrow there already.
    ['today', 'Pacific/Kiritimati', '2026-11-25T10:00', '2026-11-26T10:00'],
    [{ date: '2026-11-02' }, 'Asia/Kolkata', '2026-11-01T18:30', '2026-11-02T18:30'],
    [{ date: undefined }, 'UTC', '2026-11-25T00:00', '2026-11-26T00:00'],
    // The clocks go back on that day, and forward on the other one.
    [{ date: '2026-10-25' }, 'Europe/Amsterdam', '2026-10-24T22:00', '2026-10-25T23:00'],
    [{ date: '2026-03-29' }, 'Europe/Amsterdam', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['yesterday', undefined, '2026-11-24T00:00', '2026-11-25T00:00'],
    ['yesterday', 'Middle-earth/Shire', '2026-11-24T00:00', '2026-11-25T00:00'],
  ])('%o in %s', (day, zone, from, to) => {
    expect(iso(day, zone)).toEqual([from, to]);
  });

  test('and a zone that Slack does not give, or nobody knows, is UTC', () => {
    for (const zone of [undefined, '', 'Middle-earth/Shire'])
      expect(calendarOf(zone, NOON)).toEqual({ zone: 'UTC', today: '2026-11-25' });
    expect(calendarOf('Asia/Tokyo', Date.UTC(2026, 10, 25, 16))).toEqual({
      zone: 'Asia/Tokyo',
      today: '2026-11-26',
    });
  });
});
