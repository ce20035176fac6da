/** A page of the history, a person's own page and the list of workspaces cost the same however many requests a workspace has. */
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RequestRecord } from '../../src/requests/model/record.ts';
import type { State } from '../../src/requests/model/states.ts';
import type { RequestStore } from '../../src/requests/ports/ports.ts';
import { type HistoryQuestion, readHistory } from '../../src/requests/use-cases/history.ts';
import { readHome } from '../../src/requests/use-cases/home.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../src/storage/sqlite/record-store.ts';
import { bareClient, open } from '../support/redis/open-storage.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { directoryOf } from '../support/requests/directory.ts';
import { queued, restingEntry, T0 } from '../support/requests/records.ts';
import { workspacesWith } from '../support/requests/workspaces.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis(true);

/** Enough to fill each page. */
const FEW = 200;
/** The same was seen with 100,000 of them. */
const MANY = Number(process.env['REQUESTS'] ?? 1_000);

const DAY = 86_400_000;
const STATES: readonly State[] = ['canceled', 'failed', 'under_review', 'withdrawn'];
const DATE = new Date(T0).toISOString().slice(0, 10);

/** The requests of four states and two people, all of one day, by turns. */
function requested(n: number): RequestRecord {
  const id = `r${String(n).padStart(6, '0')}`;
  const requester = n % 8 < 4 ? 'U1' : 'U2';
  const state = STATES[n % STATES.length] as State;
  return { ...queued({ id, target: `A-${n}`, requester }, T0 + n), state };
}

async function fill(store: RequestStore, count: number) {
  const AT_ONCE = 20;
  for (let n = 0; n < count; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, i) => requested(n + i));
    await Promise.all(some.map((record) => store.create(restingEntry(record))));
  }
}

const PAGES: Record<string, Omit<HistoryQuestion, 'workspace' | 'user'>> = {
  'the open ones': { filter: { group: 'open' } },
  'all of them': { filter: {} },
  'those that were cancelled': { filter: { group: 'canceled' } },
  'those of a person': { filter: { requester: 'U2' } },
  'those of a person that were refused': { filter: { group: 'refused', requester: 'U2' } },
  'those of a day': { filter: { day: { date: DATE } } },
  'those of a person and a day': { filter: { group: 'ended', requester: 'U1', day: { date: DATE } } },
  'those of a day without any': { filter: { day: { date: '2020-01-01' } } },
  'a later page': { filter: { group: 'open' }, before: { at: T0 + 60, id: '' } },
  'those for an order': { filter: {}, id: 'A-7' },
  'a request': { filter: {}, id: 'r000007' },
};

/** Reads each page as an admin. */
async function readAll(store: RequestStore, count: (read: () => Promise<unknown>) => Promise<unknown>) {
  const deps = {
    store,
    directory: directoryOf(() => ({ isAdmin: true })),
    workspaces: workspacesWith(),
  };
  const home = { ...deps, auditEntries: { list: async () => [] } as never };
  const counted: Record<string, unknown> = {};
  for (const [name, question] of Object.entries(PAGES)) {
    counted[name] = await count(() => readHistory(deps, { workspace: 'T1', user: 'U1', ...question }));
  }
  counted['home'] = await count(() => readHome(home, { workspace: 'T1', user: 'U1', filter: {} }));
  counted['workspaces'] = await count(() => store.workspaces({ after: undefined, limit: 10 }));
  return counted;
}

/** The counters of SQLite for a statement (https://sqlite.org/c3ref/c_stmtstatus_counter.html); the types of Node lack it. */
type Counting = StatementSync & { stat(counter: 'vmStep' | 'fullscanStep' | 'sort'): number };

async function costInSqlite(requests: number) {
  const database = openDatabase(join(temporaryFolder(), 'bot.db'));
  onTestFinished(() => database.close());
  const prepare = database.prepare.bind(database);
  const statements: Counting[] = [];
  vi.spyOn(database, 'prepare').mockImplementation((...given) => {
    const statement = prepare(...given) as Counting;
    statements.push(statement);
    return statement;
  });
  const store = createSqliteRecordStore(database, 'requests', RequestRecord, () => T0 + DAY);
  await fill(store, requests);
  const counts = () => ({
    steps: sum(statements.map((each) => each.stat('vmStep'))),
    scanned: sum(statements.map((each) => each.stat('fullscanStep'))),
    sorted: sum(statements.map((each) => each.stat('sort'))),
  });
  return readAll(store, async (page) => {
    const before = counts();
    await page();
    const { steps, scanned, sorted } = counts();
    return {
      steps: steps - before.steps,
      scanned: scanned - before.scanned,
      sorted: sorted - before.sorted,
    };
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

test('in SQLite a page takes as many steps in a large workspace as in a small one, none of them through a whole table, and none to sort', async () => {
  const few = await costInSqlite(FEW);
  const many = await costInSqlite(MANY);
  expect(many).toEqual(few);
  for (const cost of Object.values(many)) expect(cost).toMatchObject({ scanned: 0, sorted: 0 });
  expect(many['the open ones']).toMatchObject({ steps: expect.toSatisfy((steps) => steps > 10) });
});

/** The commands that Redis has counted, those within scripts included. */
function countsIn(info: string): Map<string, number> {
  const lines = [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return new Map(lines.map(([, name = '', calls]) => [name, Number(calls)]));
}

async function costInRedis(requests: number) {
  const { url, stop } = await startRedisServer();
  onTestFinished(stop);
  const storage = await open({ type: 'redis', url, prefix: 'countermand' });
  const client = await bareClient(url);
  await fill(storage.requests, requests);
  // Their texts are sent with the first call of each script alone.
  await readAll(storage.requests, (page) => page());
  return readAll(storage.requests, async (page) => {
    const before = countsIn(await client.info('commandstats'));
    await page();
    const after = countsIn(await client.info('commandstats'));
    const made = [...after].map(([name, calls]): [string, number] => [name, calls - (before.get(name) ?? 0)]);
    return Object.fromEntries(made.filter(([name, calls]) => calls > 0 && !['info', 'ping'].includes(name)));
  });
}

test('in Redis a page takes as many commands in a large workspace as in a small one, those within scripts included', async () => {
  const few = await costInRedis(FEW);
  expect(await costInRedis(MANY)).toEqual(few);
  expect(few['the open ones']).toMatchObject({ zrange: 1, hget: 11 });
});
