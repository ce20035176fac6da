/** The answer to the write of a claim is lost. */
import { describe, expect, test } from 'vitest';
import { advance } from '../../src/outbox/advance.ts';
import type { ClaimDeps } from '../../src/outbox/claim.ts';
import { unreplicated } from '../../src/outbox/ports.ts';
import type { RecordStore } from '../../src/outbox/record-store.ts';
import type { Holder, RecordType } from '../../src/outbox/record-type.ts';
import { claimEffect } from '../../src/requests/engine/effects.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { queued, restingEntry } from '../support/requests/records.ts';
import { sqliteStore } from '../support/storage/stores.ts';

const RECORD = queued();

type Store = RecordStore<RequestRecord>;
type Write = (before: RequestRecord, after: RequestRecord) => ReturnType<Store['update']>;

const called = (record: RequestRecord, holder: Holder) => claimEffect(record, { type: 'call' }, holder);

/** A request whose one effect is a call. The first write, that of its claim, fails: `lost` does it, or not. */
async function setUp(lost: (write: () => ReturnType<Write>) => Promise<unknown>) {
  const { store } = sqliteStore();
  await store.create(restingEntry(RECORD));
  const events: string[] = [];
  const log = (fields: object, text: string) =>
    void events.push('event' in fields ? `${fields.event}` : text);
  const update: Write = (before, after) => store.update(restingEntry(after), before.version);
  let writes = 0;
  const type: RecordType<RequestRecord, 'call'> = {
    store: { ...store },
    fieldsOf: () => ({}),
    level: 'debug',
    nameOf: (effect) => effect,
    pending: ({ reason }) => (reason === RECORD.reason ? [{ effect: 'call', at: 0 }] : []),
    begin: async ({ record }, _, holder) => ({ type: 'claim', record: called(record, holder), isSeen: true }),
    async perform(_effect, _record, guard) {
      events.push(guard.inTime() ? 'sent' : 'not sent');
      return {
        outcome: { result: 'done' },
        apply: (record) => ({ record: { ...record, reason: 'performed' } }),
      };
    },
    async write(before, after) {
      if (++writes > 1) return update(before, after);
      await lost(() => update(before, after));
      throw new Error('no answer');
    },
  };
  const stored = async () => (await store.get(RECORD))?.record ?? RECORD;
  const run = (given: Partial<Pick<ClaimDeps, 'monotonic' | 'sleep' | 'stopping' | 'replicated'>> = {}) =>
    advance(
      type,
      {
        owner: 'p1',
        claimMs: 60_000,
        replicated: unreplicated,
        monotonic: () => 0,
        sleep: async () => {},
        stopping: new AbortController().signal,
        log: { debug() {}, info() {}, warn: log, error: log },
        ...given,
      },
      RECORD,
    );
  return { type, store, update, stored, run, events };
}

const OTHERS: Holder = { owner: 'p2', startedAt: 1, expiresAt: Number.MAX_SAFE_INTEGER };
const LOST = 'answer to a written claim lost: nothing is sent';

describe('where the answer to a claim was lost', () => {
  test('the effect is refused before it is sent, and that is saved', async () => {
    const { run, stored, events } = await setUp((write) => write());
    await run();
    expect(events).toEqual([LOST, 'not sent']);
    expect(await stored()).toMatchObject({ reason: 'performed' });
    expect((await stored()).claim).toBeUndefined();
  });

  test('the effect is also refused if the storage answers only after the claim has expired, and nobody has taken over', async () => {
    const { run, stored, events } = await setUp((write) => write());
    let now = 0;
    const sleep = async () => {
      now += 90_000;
    };
    await run({ monotonic: () => now, sleep });
    expect(events).toEqual([LOST, 'not sent']);
    expect(await stored()).toMatchObject({ reason: 'performed' });
  });

  test('the storage is asked until it answers', async () => {
    const { type, store, run, events } = await setUp(async (write) => {
      await write();
      type.store.get = () => Promise.reject(new Error('away'));
    });
    let sleeps = 0;
    await run({
      sleep: async () => {
        if (++sleeps === 3) type.store.get = store.get;
      },
    });
    const again = 'claim not read yet, will retry';
    expect(events).toEqual([again, again, LOST, 'not sent']);
  });

  test('a process that stops does not wait for the storage', async () => {
    const stopping = new AbortController();
    const { type, run, events } = await setUp(async (write) => {
      await write();
      stopping.abort();
      type.store.get = () => Promise.reject(new Error('away'));
    });
    await expect(run({ stopping: stopping.signal })).rejects.toThrow('no answer');
    expect(events).toEqual([]);
  });

  test('what was written into the record meanwhile stays', async () => {
    const { update, run, stored, events } = await setUp((write) => write());
    const sleep = async () => void (await update(await stored(), { ...(await stored()), revision: 77 }));
    await run({ sleep });
    expect(events).toEqual([LOST, 'not sent']);
    expect(await stored()).toMatchObject({ reason: 'performed', revision: 77 });
  });

  test('nothing is done under the claim of another process that has taken over, even in the same millisecond', async () => {
    const { update, run, stored, events } = await setUp((write) => write());
    const sleep = async () => {
      const record = await stored();
      const { startedAt = 0 } = record.claim ?? {};
      await update(record, { ...record, claim: called(RECORD, { ...OTHERS, startedAt }).claim });
    };
    await expect(run({ sleep })).rejects.toThrow('no answer');
    expect(events).toEqual([]);
    expect((await stored()).claim?.owner).toBe('p2');
  });

  test('nothing is done where the claim was not written', async () => {
    const { run, stored, events } = await setUp(async () => {});
    await expect(run()).rejects.toThrow('no answer');
    expect(events).toEqual([]);
    expect(await stored()).toMatchObject({ reason: RECORD.reason });
  });

  test('a claim is not looked for where another process was faster to write its own', async () => {
    const { type, update, run, events } = await setUp(async () => {});
    type.write = async (before, after) => {
      await update(before, called(RECORD, OTHERS));
      return update(before, after);
    };
    let sleeps = 0;
    const running = run({
      replicated: async (work) => {
        await work();
        throw new Error('not confirmed');
      },
      sleep: async () => void sleeps++,
    });
    await expect(running).rejects.toThrow('not confirmed');
    expect([sleeps, events]).toEqual([0, []]);
  });

  test('an effect that nobody sees is left to be repeated', async () => {
    const { type, run, stored, events } = await setUp((write) => write());
    const { begin } = type;
    type.begin = async (...args) => ({ ...(await begin(...args)), isSeen: false });
    await expect(run()).rejects.toThrow('no answer');
    expect(events).toEqual([]);
    expect((await stored()).claim?.owner).toBe('p1');
  });
});
