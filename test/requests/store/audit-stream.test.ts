/** The way of audit entries into the audit stream, through crashes, failed writes and removals, over both storages. */
import { describe, expect, test } from 'vitest';
import { advance } from '../../../src/outbox/advance.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { AuditEntry, type NewAuditEntry } from '../../../src/requests/model/audit-entry.ts';
import type { AuditStore, AuditStream } from '../../../src/requests/ports/ports.ts';
import {
  auditEntry,
  changeEntry,
  createAuditType,
  createRecordAct,
} from '../../../src/requests/store/audit-trail.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { forgetStreamed } from '../../../src/workspaces/installation/forget.ts';
import { open as openRedis } from '../../support/redis/open-storage.ts';
import { needsRedis } from '../../support/redis/redis.ts';
import { trailOf } from '../../support/storage/audit-trail.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';
import { sqliteStorage } from '../../support/storage/stores.ts';

needsRedis();

const STORAGES = {
  SQLite: sqliteStorage,
  Redis: () => openRedis(),
};

const PAUSED = { workspace: 'T1', id: 'pause', at: 1, by: ['U1'], act: 'paused' } satisfies NewAuditEntry;

const ref = ({ workspace, id }: NewAuditEntry) => ({ workspace, id });

/** A bot that writes entries to `stream`. `claimMs`: how long its claims live. */
function botOf(
  { auditEntries, replicated }: Awaited<ReturnType<(typeof STORAGES)['Redis']>>,
  stream: AuditStream,
  claimMs = 60_000,
) {
  const type = createAuditType({ auditEntries, stream, log: SILENT });
  const stopping = new AbortController();
  const deps = {
    replicated,
    claimMs,
    owner: 'bot',
    monotonic: performance.now.bind(performance),
    sleep: async () => {},
    stopping: stopping.signal,
    log: SILENT,
  };
  return (entry: NewAuditEntry = PAUSED) => advance(type, deps, ref(entry));
}

/** A stream that keeps what is written. */
function memory() {
  const lines: NewAuditEntry[] = [];
  return { lines, stream: { write: async (entry: NewAuditEntry) => void lines.push(entry) } };
}

const dueOf = (store: AuditStore) => store.due(10);

describe.each(Object.entries(STORAGES))('the audit stream over %s', (_name, openStorage) => {
  async function setUp(entries: readonly NewAuditEntry[] = [PAUSED]) {
    const storage = (await openStorage()) as Awaited<ReturnType<(typeof STORAGES)['Redis']>>;
    for (const entry of entries) await storage.auditEntries.create(auditEntry(entry));
    return { storage, trail: () => trailOf(storage, 'T1') };
  }

  test('has an entry once, which is not due any more', async () => {
    const { storage, trail } = await setUp();
    expect(await dueOf(storage.auditEntries)).toEqual([ref(PAUSED)]);
    const { lines, stream } = memory();
    const bot = botOf(storage, stream);
    await bot();
    await bot();
    expect(lines).toMatchObject([PAUSED]);
    expect(await dueOf(storage.auditEntries)).toEqual([]);
    expect(await trail()).toMatchObject([{ ...PAUSED, isStreamed: true }]);
  });

  test('has an entry again after a crash between the write and its record', async () => {
    const { storage } = await setUp();
    const { lines, stream } = memory();
    const dies = botOf(
      storage,
      { write: (entry) => stream.write(entry).then(() => new Promise(() => {})) },
      20,
    );
    void dies();
    await expect.poll(() => lines.length).toBe(1);
    const next = botOf(storage, stream);
    await expect.poll(async () => next().then(() => lines.length)).toBe(2);
    expect(await dueOf(storage.auditEntries)).toEqual([]);
  });

  test('gets an entry that could not be written at a later try', async () => {
    const { storage, trail } = await setUp();
    const { lines, stream } = memory();
    const waitMs = await botOf(storage, { write: () => Promise.reject(new Error('The disk is full.')) })();
    expect(waitMs).toBeGreaterThan(0);
    const [entry] = await trail();
    expect(entry).toMatchObject({ retry: { tries: 1 } });
    const due = entry && auditEntry({ ...entry, retry: { tries: 1, notBefore: 1 } });
    if (due) await storage.auditEntries.update(due, entry.version);
    await botOf(storage, stream)();
    expect(lines).toMatchObject([PAUSED]);
    expect((await trail())[0]?.retry).toBeUndefined();
  });

  test('has no entry that a failover could undo: a claim that is not replicated writes nothing, and is tried again', async () => {
    const { storage, trail } = await setUp();
    const { lines, stream } = memory();
    const replicated = async (work: () => Promise<unknown>) => {
      await work();
      throw new Error('No replica follows.');
    };
    await botOf({ ...storage, replicated: replicated as typeof storage.replicated }, stream)();
    expect(lines).toEqual([]);
    expect((await trail())[0]).toMatchObject({ retry: { tries: 1 } });
    expect((await trail())[0]?.isStreamed).toBeUndefined();
  });

  test('has the result last, also where the line of the beginning came only after its claim had expired', async () => {
    const { storage, trail } = await setUp([]);
    const entry = { ...PAUSED, id: 'act:1' };
    await storage.auditEntries.create(auditEntry(entry));
    const { lines, stream } = memory();
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const hangs = botOf(
      storage,
      {
        async write(line) {
          reached.resolve();
          await held.promise;
          await stream.write(line);
        },
      },
      20,
    );
    const hanging = hangs(entry);
    await reached.promise;
    await changeEntry(storage.auditEntries, entry, (current) => ({ ...current, result: 'done' }));
    const next = botOf(storage, stream);
    await expect.poll(async () => next(entry).then(() => lines.length)).toBe(1);
    held.resolve();
    await hanging;
    await next(entry);
    expect(lines.map(({ result }) => result)).toEqual(['done', undefined, 'done']);
    expect(await trail()).toMatchObject([{ result: 'done', isStreamed: true }]);
  });

  test('has an act again once its result is known, whatever moment it comes in', async () => {
    const { storage, trail } = await setUp([]);
    const recordAct = createRecordAct({ ...storage, uuid: () => '1', log: SILENT });
    const act = { workspace: 'T1', by: ['terminal'], act: 'exported' } as const;
    const { lines, stream } = memory();
    const bot = botOf(storage, stream);
    const entry = { ...PAUSED, id: 'act:1' };
    await recordAct(
      act,
      () => bot(entry),
      () => 'exported',
    );
    await bot(entry);
    await bot(entry);
    expect(lines.map(({ result }) => result)).toEqual([undefined, 'exported']);
    expect(await trail()).toMatchObject([{ result: 'exported', isStreamed: true }]);
  });

  test('says that nothing was done also after a write that failed: its line may be there all the same', async () => {
    const { storage, trail } = await setUp([]);
    const recordAct = createRecordAct({ ...storage, uuid: () => '1', log: SILENT });
    const { lines, stream } = memory();
    const fails = botOf(storage, {
      async write(line) {
        await stream.write(line);
        throw new Error('not on the disk');
      },
    });
    const entry = { ...PAUSED, id: 'act:1' };
    await recordAct(
      { workspace: 'T1', by: ['terminal'], act: 'forgot_person' },
      () => fails(entry),
      () => undefined,
    );
    // As soon as it is due again.
    const [left] = await trail();
    expect(left).toMatchObject({ result: 'nothing_done', isToBeRemoved: true });
    if (left)
      await storage.auditEntries.update(
        auditEntry({ ...left, retry: { tries: 1, notBefore: 1 } }),
        left.version,
      );
    await botOf(storage, stream)(entry);
    expect(lines.map(({ result }) => result)).toEqual([undefined, 'nothing_done']);
    expect(await trail()).toEqual([]);
  });

  test.each<[string, (bot: Promise<unknown>, written: () => void) => Promise<unknown>]>([
    [
      'before it ended',
      (bot, written) => {
        written();
        return bot;
      },
    ],
    ['while it ended', async () => {}],
  ])(
    'says that nothing was done, and the trail has no entry, where it had the act %s',
    async (_when, during) => {
      const { storage, trail } = await setUp([]);
      const recordAct = createRecordAct({ ...storage, uuid: () => '1', log: SILENT });
      const { lines, stream } = memory();
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const bot = botOf(storage, {
        async write(line) {
          await stream.write(line);
          reached.resolve();
          await held.promise;
        },
      });
      const entry = { ...PAUSED, id: 'act:1' };
      let streaming: Promise<unknown> = Promise.resolve();
      await recordAct(
        { workspace: 'T1', by: ['terminal'], act: 'forgot_person' },
        async () => {
          streaming = bot(entry);
          await reached.promise;
          await during(streaming, held.resolve);
        },
        () => undefined,
      );
      held.resolve();
      await streaming;
      await bot(entry);
      expect(lines.map(({ result }) => result)).toEqual([undefined, 'nothing_done']);
      expect(await trail()).toEqual([]);
    },
  );

  test('gets the rest of a trail before it is removed from the storage', async () => {
    const resumed = { ...PAUSED, id: 'resume', at: 2, act: 'resumed' } as const;
    const { storage, trail } = await setUp([PAUSED, resumed]);
    const { lines, stream } = memory();
    const bot = botOf(storage, stream);
    await bot(PAUSED);
    let pauses = 0;
    const pause = async () => void pauses++;
    await forgetStreamed(storage.auditEntries, pause)('T1');
    expect(pauses).toBe(2);
    expect((await trail()).map(({ id }) => id)).toEqual(['resume']);
    await bot(resumed);
    expect(lines.map(({ id }) => id)).toEqual(['pause', 'resume']);
    expect(await trail()).toEqual([]);
  });

  test('keeps the rest of a trail whose removal may not go on', async () => {
    const resumed = { ...PAUSED, id: 'resume', at: 2, act: 'resumed' } as const;
    const { storage } = await setUp([PAUSED, resumed]);
    let removed = 0;
    const pause = async () => void removed++;
    await forgetStreamed(storage.auditEntries, pause)('T1', async () => removed === 0);
    const left = await storage.auditEntries.list('T1', { limit: 9 });
    expect(left.map(({ id, isToBeRemoved }) => [id, isToBeRemoved])).toEqual([
      ['resume', true],
      ['pause', undefined],
    ]);
  });
});

test('a trail with an entry that cannot be read is removed as it is', async () => {
  const { auditEntries } = await openRedis();
  await auditEntries.create(auditEntry({ ...PAUSED, act: 'unheard_of' as 'paused' }));
  await forgetStreamed(auditEntries, async () => {})('T1');
  expect(await auditEntries.count('T1')).toBe(0);
});

test('so is a trail with an entry that is damaged', async () => {
  const database = databaseInMemory();
  const auditEntries = createSqliteRecordStore(database, 'audit_entries', AuditEntry);
  await auditEntries.create(auditEntry(PAUSED));
  database.exec("UPDATE audit_entries SET record = '{'");
  await forgetStreamed(auditEntries, async () => {})('T1');
  expect(await auditEntries.count('T1')).toBe(0);
});
