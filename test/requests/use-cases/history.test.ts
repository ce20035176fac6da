import { describe, expect, test } from 'vitest';
import type { Cursor } from '../../../src/outbox/record-store.ts';
import type { NewRequest } from '../../../src/requests/model/changes/new-record.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Person } from '../../../src/requests/ports/ports.ts';
import {
  type HistoryFilter,
  type HistoryPage,
  readHistory,
} from '../../../src/requests/use-cases/history.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { queued, restingEntry, T0 } from '../../support/requests/records.ts';
import { workspacesWith } from '../../support/requests/workspaces.ts';

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

/** A workspace with so many requests, r0 the oldest of them, a second after each other. */
async function workspace(
  count: number,
  given: (n: number) => Partial<NewRequest & Pick<RequestRecord, 'state'>> = () => ({}),
  stepMs = 1_000,
) {
  const store = createSqliteRecordStore(
    openDatabase(':memory:'),
    'requests',
    RequestRecord,
    () => T0 + (count - 1) * stepMs + 1,
  );
  for (let n = 0; n < count; n++) {
    await store.create(restingEntry(requested(n, given(n), T0 + n * stepMs)));
  }
  let reads = 0;
  const counted: typeof store = {
    ...store,
    list: (...args) => {
      reads += 1;
      return store.list(...args);
    },
  };
  const read = (filter: HistoryFilter = {}, before?: Cursor, person: Person | undefined = MEMBER) => {
    const directory = { ...directoryOf(), person: async () => person };
    const deps = {
      store: counted,
      directory,
      workspaces: workspacesWith(),
      timings: TIMINGS,
      retentionMs: 90 * DAY,
    };
    return readHistory(deps, { workspace: 'T1', user: 'U1', filter, before });
  };
  return { read, reads: () => reads };
}

const idsOf = (page: HistoryPage) => (page.type === 'page' ? page.records.map(({ id }) => id) : []);
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
    const kind = (n: number) => ({ kind: n % 3 === 0 ? ('send_offer' as const) : ('cancel_order' as const) });
    const { read } = await workspace(45, kind);
    const pages = await turn(read, { kind: 'send_offer' });
    expect(pages.map((page) => page.length)).toEqual([10, 5]);
    expect(pages.flat()).toEqual(Array.from({ length: 15 }, (_, i) => `r${42 - 3 * i}`));
  });

  test('shows what fits all that is chosen', async () => {
    const { read } = await workspace(4, (n) => ({
      requester: n < 2 ? 'U1' : 'U2',
      kind: n % 2 === 0 ? 'cancel_order' : 'send_offer',
    }));
    expect(idsOf(await read({ requester: 'U2', kind: 'send_offer', state: 'queued' }))).toEqual(['r3']);
    expect(idsOf(await read({ requester: 'U2', kind: 'send_offer', state: 'sent' }))).toEqual([]);
  });

  test.each<[string, HistoryFilter]>([
    ['kind', { kind: 'send_offer' }],
    ['requester', { requester: 'U7' }],
    ['state', { state: 'sent' }],
  ])('finds what is rare by its %s in one read, however many requests there are', async (_name, filter) => {
    const rare = { kind: 'send_offer', requester: 'U7', state: 'sent' } as const;
    const { read, reads } = await workspace(600, (n) => (n === 7 ? rare : {}));
    const page = await read(filter);
    expect([idsOf(page), nextOf(page), reads()]).toEqual([['r7'], undefined, 1]);
  });

  test('stops looking for what is rare together after 500 requests, and goes on where it stopped', async () => {
    const { read, reads } = await workspace(550, (n) => (n === 7 ? { kind: 'send_offer' } : {}));
    const filter: HistoryFilter = { kind: 'send_offer', requester: 'U1' };
    const first = await read(filter);
    expect([idsOf(first), reads()]).toEqual([[], 25]);
    expect(nextOf(first)).toEqual({ at: T0 + 50 * 1_000, id: 'r50' });
    const second = await read(filter, nextOf(first));
    expect([idsOf(second), nextOf(second)]).toEqual([['r7'], undefined]);
  });

  test('lets others have their turn between two reads', async () => {
    const { read, reads } = await workspace(500);
    let [turns, isReading] = [0, true];
    const others = () => {
      turns += 1;
      if (isReading) setImmediate(others);
    };
    setImmediate(others);
    await read({ kind: 'send_offer', requester: 'U1' });
    isReading = false;
    expect(reads()).toBeGreaterThan(20);
    expect(turns).toBeGreaterThanOrEqual(reads() - 1);
  });

  test('reads of what is unfinished no more than there is, when an admin looks', async () => {
    const admin = { ...MEMBER, isAdmin: true };
    const { read, reads } = await workspace(600, (n) => (n === 7 ? {} : { state: 'declined' }), DAY);
    expect(await read({}, undefined, admin)).toMatchObject({ overdue: { count: 1, more: false } });
    expect(reads()).toBe(2);
  });

  test('shows to admins, and to nobody else, what is still open after requests are removed', async () => {
    const admin = { ...MEMBER, isAdmin: true };
    const { read } = await workspace(25, () => ({}), 10 * DAY);
    const first = await read({ overdue: true }, undefined, admin);
    expect(first).toMatchObject({ overdue: { count: 16, more: false, days: 90 } });
    expect(idsOf(first)).toEqual(['r15', 'r14', 'r13', 'r12', 'r11', 'r10', 'r9', 'r8', 'r7', 'r6']);
    const second = await read({ overdue: true }, nextOf(first), admin);
    expect([idsOf(second), nextOf(second)]).toEqual([['r5', 'r4', 'r3', 'r2', 'r1', 'r0'], undefined]);
    expect(idsOf(await read({ overdue: true, kind: 'send_offer' }, undefined, admin))).toEqual([]);
    const all = await read({ overdue: true });
    expect(idsOf(all)[0]).toBe('r24');
    expect(all).not.toHaveProperty('overdue');
  });

  test.each<[string, Person]>([
    ['guests', { ...MEMBER, isGuest: true }],
    ['externalUsers', { ...MEMBER, ownTeam: false }],
    ['deactivated members', { ...MEMBER, isDeactivated: true }],
    ['bots', { ...MEMBER, isBot: true }],
  ])('tells %s nothing', async (_name, person) => {
    const { read, reads } = await workspace(1);
    expect((await read({}, undefined, person)).type).toBe('not_allowed');
    expect(reads()).toBe(0);
  });
});
