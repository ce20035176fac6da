import { expect, test } from 'vitest';
import { advance } from '../../src/outbox/advance.ts';
import { saveResult } from '../../src/outbox/claim.ts';
import { SILENT, unreplicated } from '../../src/outbox/ports.ts';
import type { RecordType } from '../../src/outbox/record-type.ts';
import { claimEffect } from '../../src/requests/engine/effects.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { queued, restingEntry } from '../support/requests/records.ts';
import { sqliteStore } from '../support/storage/stores.ts';

const RECORD = queued();
const log = SILENT;
const DEPS = {
  owner: 'p1',
  log,
  monotonic: () => 0,
  stopping: new AbortController().signal,
  claimMs: 60_000,
  replicated: unreplicated,
  sleep: async () => {},
};

/** A request whose one effect is a change, and what must be done before it is written. */
async function changing(first: () => Promise<unknown>) {
  const { store } = sqliteStore();
  await store.create(restingEntry(RECORD));
  const changed = { ...RECORD, reason: 'changed' };
  const type: RecordType<RequestRecord, 'change'> = {
    store,
    fieldsOf: () => ({}),
    level: 'debug',
    nameOf: (effect) => effect,
    pending: ({ reason }) => (reason === changed.reason ? [] : [{ effect: 'change', at: 0 }]),
    begin: async () => ({ type: 'change', change: { record: changed, first } }),
    perform: () => Promise.reject(new Error('a change needs no claim')),
    write: (before, after) => store.update(restingEntry(after), before.version),
  };
  const stored = async () => (await store.get(RECORD))?.record.reason;
  return { stored, type, run: () => advance(type, DEPS, RECORD), changed };
}

test('a record changes only once the step that must come first is done', async () => {
  const done = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { stored, run, changed } = await changing(() => {
    asked.resolve();
    return done.promise;
  });
  const running = run();
  await asked.promise;
  // A write that did not wait would be committed by now.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(await stored()).toBe(RECORD.reason);
  done.resolve();
  expect(await running).toBeUndefined();
  expect(await stored()).toBe(changed.reason);
});

test('a record stays as it was if the step that must come first fails', async () => {
  const { stored, run } = await changing(() => Promise.reject(new Error('the storage is away')));
  await expect(run()).rejects.toThrow('the storage is away');
  expect(await stored()).toBe(RECORD.reason);
});

test.each(['a change of the record alone', 'a result'])(
  '%s is written only once all replicas have what must be done first',
  async (what) => {
    const { stored, type, changed } = await changing(async () => {});
    const replicated: typeof unreplicated = async (work) => {
      await work();
      throw new Error('another server has taken over');
    };
    const deps = { ...DEPS, replicated, stopping: AbortSignal.abort() };
    const claimed = claimEffect(RECORD, { type: 'call' }, { owner: 'p1', startedAt: 0, expiresAt: 1 });
    const apply = () => ({ record: changed, first: async () => {} });
    const done = { outcome: { result: 'done' }, apply, applyLate: apply };
    const act =
      what === 'a result'
        ? saveResult(type, deps, claimed, done)
        : advance(type, { ...DEPS, replicated }, RECORD);
    await expect(act).rejects.toThrow('another server has taken over');
    expect(await stored()).toBe(RECORD.reason);
  },
);

test.each([
  ['a minute ahead stands', 60_000, RECORD.reason],
  ['a day ahead was left by a process that died before the clock was set back', 24 * 3_600_000, 'changed'],
])('a claim that ends %s', async (_what, ms, reason) => {
  const { stored, type, run } = await changing(async () => {});
  const { record, now } = (await type.store.get(RECORD)) ?? {};
  if (!record || now === undefined) throw new Error('It is not there.');
  const claimed = claimEffect(
    record,
    { type: 'call' },
    { owner: 'gone', startedAt: now, expiresAt: now + ms },
  );
  await type.write(record, claimed);
  await run();
  expect(await stored()).toBe(reason);
});

test('a record that never comes to rest gives way to others after a hundred turns, and goes on at once', async () => {
  const { type } = await changing(async () => {});
  let turns = 0;
  type.begin = async ({ record }) => {
    turns += 1;
    return { type: 'change', change: { record: { ...record, reason: `${turns}` } } };
  };
  expect(await advance(type, DEPS, RECORD)).toBe(0);
  expect(turns).toBe(100);
});

test('a result that cannot be saved yet is tried again after a second', async () => {
  const { stored, type, changed } = await changing(async () => {});
  const claimed = claimEffect(RECORD, { type: 'call' }, { owner: 'p1', startedAt: 0, expiresAt: 1 });
  const apply = () => ({ record: changed });
  const { write } = type;
  type.write = () => Promise.reject(new Error('away'));
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    type.write = write;
  };
  const stopping = new AbortController().signal;
  await saveResult(type, { ...DEPS, stopping, sleep }, claimed, {
    outcome: { result: 'done' },
    apply,
    applyLate: apply,
  });
  expect(waits).toEqual([1_000]);
  expect(await stored()).toBe(changed.reason);
});
