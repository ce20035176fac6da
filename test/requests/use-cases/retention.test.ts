import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { byId, listWorkspaces, NO_WORKSPACE } from '../../../src/outbox/record-store.ts';
import { hasEnded, requestDueAt } from '../../../src/requests/model/pending-effects.ts';
import { nothingMade } from '../../../src/requests/model/recent.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { auditEntry } from '../../../src/requests/store/audit-trail.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { createRetention, removeEnded, removeOldEntries } from '../../../src/requests/use-cases/retention.ts';
import { openRedisStorage } from '../../../src/storage/redis/open.ts';
import { emptyRedis, needsRedis } from '../../support/redis/redis.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, anyAnswer, queued, said, T0, withCardShown } from '../../support/requests/records.ts';
import { STATES } from '../../support/seen-requests.ts';
import { sqliteStorage, sqliteStore } from '../../support/storage/stores.ts';
import { overwrite } from '../../support/storage/versions.ts';

needsRedis();

const DAY = 86_400_000;
const depsOf = (store: RequestStore) => ({
  store,
  timings: TIMINGS,
  retentionMs: 90 * DAY,
  pause: async () => {},
  stopping: new AbortController().signal,
  log: SILENT,
});

/** The record without its pending effects. */
const atRest = (record: RequestRecord): RequestRecord => ({
  ...record,
  messages: [cardOf(withCardShown(record))],
});

const ended = (id: string, at: number, answer = said('canceled')) =>
  atRest(answered(answer, { id, target: id }, at));

/** A store whose clock shows `T0`, in which the records lie as they would. */
async function storeWith(...records: RequestRecord[]) {
  const { store } = sqliteStore(() => T0);
  for (const record of records) await store.create(requestEntry(record, TIMINGS));
  return store;
}

const idsIn = async (store: RequestStore) =>
  (await store.list('T1', { limit: 1_000 })).map(({ id }) => id).sort();

describe('what ended longer ago than requests are kept', () => {
  test('is removed, and what ended since is not', async () => {
    const store = await storeWith(
      ended('old', T0 - 91 * DAY),
      ended('refused', T0 - 91 * DAY, { type: 'refused', httpStatus: 400, details: [] }),
      ended('just now', T0 - 90 * DAY),
    );
    const lines: object[] = [];
    const log = { ...SILENT, info: (fields: object) => void lines.push(fields) };
    await removeEnded({ ...depsOf(store), log }, 'T1');
    expect(await idsIn(store)).toEqual(['just now']);
    expect(lines).toEqual([{ workspace: 'T1', removed: 2 }]);
  });

  test('counts from its end, not from when it was requested', async () => {
    const requested = ended('reopened', T0 - 200 * DAY, said('denied'));
    const event = { topic: 'updated', target: 'reopened', status: 'approved', digest: 'd' } as const;
    const late = transition(requested, { type: 'event', event }, T0 - 10 * DAY);
    const store = await storeWith(atRest(late ?? requested));
    await removeEnded(depsOf(store), 'T1');
    expect(await idsIn(store)).toEqual(['reopened']);
  });

  test('stays while it is open, or owes a message', async () => {
    const unposted = answered(said('canceled'), { id: 'owed', target: 'owed' }, T0 - 91 * DAY);
    const review = ended('review', T0 - 91 * DAY, said('pending'));
    const reopened = { ...ended('reopened', T0 - 91 * DAY, said('pending')), holdsSlot: false };
    const waiting = queued({ id: 'waiting', target: 'waiting' }, T0 - 91 * DAY);
    const store = await storeWith(unposted, review, reopened, waiting);
    await removeEnded(depsOf(store), 'T1');
    expect(await store.count('T1')).toBe(4);
  });

  test('stays where somebody takes it up again in that moment', async () => {
    const record = ended('retried', T0 - 91 * DAY, { type: 'refused', httpStatus: 400, details: [] });
    const store = await storeWith(record);
    const raced: RequestStore = {
      ...store,
      async list(...requested) {
        const page = await store.list(...requested);
        const retry = { type: 'person', by: 'U1', action: 'retry' } as const;
        const again = transition(record, retry, T0) ?? record;
        await overwrite(store, requestEntry(again, TIMINGS));
        return page;
      },
    };
    await removeEnded(depsOf(raced), 'T1');
    expect((await store.get(record))?.record.state).toBe('queued');
  });

  test('is removed in bounds, and the next run goes on where one stopped', async () => {
    const old = Array.from({ length: 5 }, (_, i) => ended(`old${i}`, T0 - (100 + i) * DAY));
    const store = await storeWith(queued({ id: 'open', target: 'open' }, T0 - 99 * DAY), ...old);
    for (const left of [4, 2, 1]) {
      await removeEnded(depsOf(store), 'T1', 2);
      expect(await store.count('T1')).toBe(left);
    }
    expect(await idsIn(store)).toEqual(['open']);
  });

  test('is left to the next run where the bot stops', async () => {
    const store = await storeWith(ended('old', T0 - 91 * DAY));
    const deps = { ...depsOf(store), stopping: AbortSignal.abort() };
    await removeEnded(deps, 'T1');
    expect(await idsIn(store)).toEqual(['old']);
  });
});

/** A request in any state, at rest or not, requested at any time. */
const anyRecord = fc
  .record({
    days: fc.integer({ min: 0, max: 400 }),
    answer: fc.option(anyAnswer, { nil: undefined }),
    rests: fc.boolean(),
    holdsSlot: fc.boolean(),
  })
  .map(({ days, answer, rests, holdsSlot }) => (id: string) => {
    const at = T0 - days * DAY;
    const given = { id, target: id };
    const record = answer ? answered(answer, given, at) : queued(given, at);
    return { ...(rests ? atRest(record) : record), holdsSlot };
  });

test('nothing that is open or younger is ever removed, all else is, and a second run finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { maxLength: 12 }), async (made) => {
      const { store } = createEngineHarness({ answer: said('canceled') });
      const records = made.map((make, i) => make(`r${i}`));
      for (const record of records) await store.create(requestEntry(record, TIMINGS));
      const isKept = (record: RequestRecord) =>
        requestDueAt(record, TIMINGS) !== undefined ||
        STATES[record.state]?.isOpen ||
        record.steps.some(({ at }) => at >= T0 - 90 * DAY);
      const kept = records
        .filter(isKept)
        .map(({ id }) => id)
        .sort();
      await removeEnded(depsOf(store), 'T1');
      expect(await idsIn(store)).toEqual(kept);
      await removeEnded(depsOf(store), 'T1');
      for (const record of records)
        if (isKept(record)) expect((await store.get(record))?.record.id).toBe(record.id);
    }),
  );
});

test('an entry of the audit trail is removed as long after it was written, and no other one', async () => {
  const storage = openRedisStorage(await emptyRedis());
  await storage.open(SILENT);
  onTestFinished(storage.close);
  const { auditEntries } = storage;
  const now = await auditEntries.now();
  const write = (id: string, at: number, workspace = 'T1') =>
    auditEntries.create(auditEntry({ workspace, id, at, by: ['U1'], act: 'requested' }));
  for (let n = 0; n < 60; n++) await write(`old ${n}`, now - 91 * DAY - n);
  await write('young', now - 89 * DAY);
  await write('theirs', now - 91 * DAY, 'T2');
  const { store: _none, timings: _no, ...deps } = depsOf(storage.requests);
  const entries = async (workspace: string) =>
    (await auditEntries.list(workspace, { limit: 100 })).map(({ id }) => id);
  await removeOldEntries({ ...deps, auditEntries, isStreaming: false, stopping: AbortSignal.abort() }, 'T1');
  expect(await entries('T1')).toHaveLength(61);
  await removeOldEntries({ ...deps, auditEntries, isStreaming: true }, 'T1');
  expect(await entries('T1'), 'with a stream that has none of them yet').toHaveLength(61);
  for (const left of [36, 11]) {
    await removeOldEntries({ ...deps, auditEntries, isStreaming: false }, 'T1', 25);
    expect(await entries('T1'), 'in bounds').toHaveLength(left);
  }
  await removeOldEntries({ ...deps, auditEntries, isStreaming: false }, 'T1');
  expect([await entries('T1'), await entries('T2')]).toEqual([['young'], ['theirs']]);
});

test('entries that an uninstall left for the audit stream are removed where there is none any more', async () => {
  const storage = await sqliteStorage();
  const { auditEntries } = storage;
  const entry = { workspace: 'T1', at: T0, by: ['UANA'], act: 'paused' } as const;
  const left = { ...entry, version: 0, isToBeRemoved: true };
  for (const each of [
    { ...left, id: 'left' },
    { ...left, id: 'left, too', at: T0 + 1 },
    { ...left, id: 'of nobody any more', workspace: 'T2' },
    { ...entry, id: 'since the reinstall', at: T0 + 2 },
  ])
    await auditEntries.create(auditEntry(each));
  const deps = { ...storage, ...depsOf(storage.requests) };
  await createRetention({ ...deps, isStreaming: true })();
  expect(await auditEntries.count('T2')).toBe(1);
  await createRetention({ ...deps, isStreaming: false })();
  const ids = async (workspace: string) =>
    (await auditEntries.list(workspace, { limit: 10 })).map(({ id }) => id);
  expect([await ids('T1'), await ids('T2')]).toEqual([['since the reinstall'], []]);
});

describe('the retention of all workspaces', () => {
  test('goes on with the others where one cannot be read', async () => {
    const store = await storeWith(
      ...['T1', 'T2', 'T3'].map((workspace) => ({ ...ended('a', T0 - 91 * DAY), workspace })),
    );
    const list: RequestStore['list'] = (workspace, page) =>
      workspace === 'T2' ? Promise.reject(new Error('unreadable')) : store.list(workspace, page);
    const errors: object[] = [];
    const run = createRetention({
      ...(await sqliteStorage()),
      ...depsOf({ ...store, list }),
      isStreaming: false,
      log: { ...SILENT, error: (fields) => void errors.push(fields) },
    });
    await run();
    expect([await store.count('T1'), await store.count('T3')]).toEqual([0, 0]);
    expect(errors).toEqual([expect.objectContaining({ workspace: 'T2' })]);
  });

  test('asks for the records of those that have some, whether or not they are connected or installed still', async () => {
    const storage = await sqliteStorage();
    const { requests, recentRequests, auditEntries } = storage;
    const now = await requests.now();
    const at = now - 91 * DAY;
    await requests.create(requestEntry({ ...ended('old', at), workspace: 'T1' }, TIMINGS));
    await recentRequests.create(byId(nothingMade('T2', 'UANA')));
    for (const workspace of ['T3', NO_WORKSPACE])
      await auditEntries.create(auditEntry({ workspace, id: 'old', at, by: ['U1'], act: 'paused' }));
    await createRetention({ ...storage, ...depsOf(requests), isStreaming: false })();
    const left = [requests, recentRequests, auditEntries].map((each) =>
      Array.fromAsync(listWorkspaces(each)),
    );
    expect(await Promise.all(left)).toEqual([[], [], []]);
  });

  test('removes in Redis what it removes in SQLite, and leaves no trace of it', async () => {
    const storage = openRedisStorage(await emptyRedis());
    await storage.open(SILENT);
    onTestFinished(storage.close);
    const { requests } = storage;
    const now = await requests.now();
    const records = [ended('old', now - 91 * DAY), ended('young', now - 89 * DAY)];
    for (const record of records) await requests.create(requestEntry(record, TIMINGS));
    await createRetention({ ...storage, ...depsOf(requests), isStreaming: false })();
    expect(await idsIn(requests)).toEqual(['young']);
    expect((await requests.listBySubject('T1', 'order:old', 1)).records).toEqual([]);
  });
});

test('whatever is in a final state and owes nothing has ended', () => {
  expect(hasEnded(ended('a', T0), TIMINGS)).toBe(true);
  expect(hasEnded(answered(said('canceled'), {}, T0), TIMINGS)).toBe(false);
  expect(hasEnded(ended('a', T0, said('pending')), TIMINGS)).toBe(false);
});
