import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { recordEvent } from '../../../src/requests/use-cases/record-event.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, calling, event, type queued, REQUEST, said, T0 } from '../../support/requests/records.ts';

const awaiting = (createdAt = T0) =>
  newRecord({ ...REQUEST, id: 'awaiting' }, createdAt, { policy: POLICY, earlier: [] });

async function harnessWith(...records: ReturnType<typeof queued>[]) {
  const harness = createEngineHarness({ answer: said('canceled') });
  for (const record of records) await harness.create(record);
  return harness;
}

describe('a request that awaits approval, and an event that its order is cancelled', () => {
  test('is ended by one that is newer', async () => {
    const harness = await harnessWith(awaiting());
    expect(await harness.recordEvent(event({ status: 'canceled', updatedAt: T0 + 1 }))).toBe('applied');
    expect((await harness.read(awaiting())).state).toBe('already_canceled');
  });

  test('is ended by one that comes twice, of which the second one changes nothing', async () => {
    const harness = await harnessWith(awaiting());
    const canceled = event({ status: 'canceled', updatedAt: T0 + 1 });
    await harness.recordEvent(canceled);
    const ended = await harness.read(awaiting());
    expect(await harness.recordEvent(canceled)).toBe('repeated');
    expect([await harness.read(awaiting()), harness.inbox]).toEqual([ended, []]);
  });

  test('is ended by one of two that say the same', async () => {
    const harness = await harnessWith(awaiting());
    const canceled = { status: 'canceled', updatedAt: T0 + 1 } as const;
    await harness.recordEvent(event(canceled));
    expect(await harness.recordEvent(event(canceled))).toBe('repeated');
    expect(harness.inbox).toEqual([]);
  });

  test('is not ended by the repeat of one that ended the request before it, whose time is ahead of our clock', async () => {
    const harness = await harnessWith(awaiting());
    const canceled = event({ status: 'canceled', updatedAt: T0 + 60_000 });
    await harness.recordEvent(canceled);
    const next = newRecord({ ...REQUEST, id: 'next' }, T0 + 1, { policy: POLICY, earlier: [] });
    await harness.create(next);
    expect(await harness.recordEvent(canceled)).toBe('repeated');
    expect((await harness.read(next)).state).toBe('awaiting_approval');
  });

  test.each([
    ['from before it was made', { updatedAt: T0 - 3_000 }],
    ['of which nobody knows when it happened', {}],
    ['for an order that differs in case', { target: 'a-1001', updatedAt: T0 + 1 }],
  ])('is not ended by one %s, which is kept', async (_name, given) => {
    const harness = await harnessWith(awaiting());
    expect(await harness.recordEvent(event({ status: 'canceled', ...given }))).toBe('unmatched');
    expect((await harness.read(awaiting())).state).toBe('awaiting_approval');
    expect(harness.inbox).toHaveLength(1);
  });

  test('is not ended by a late one about an earlier request, though it was still news for that one', async () => {
    const before = answered(said('pending', T0 - 60_000), { id: 'before' }, T0 - 60_000);
    const released = { ...before, state: 'closed' as const };
    const harness = await harnessWith(released, awaiting());
    const late = event({ status: 'approved', createdAt: T0 - 60_000, updatedAt: T0 - 50_000 });
    expect(await harness.recordEvent(late)).toBe('applied');
    expect((await harness.read(released)).state).toBe('approved');
    expect((await harness.read(awaiting())).state).toBe('awaiting_approval');
  });
});

test('an event is given to the request whose order differs in case alone, where it was requested at that moment', async () => {
  const record = answered(said('pending', T0), { target: 'a-1001' });
  const harness = await harnessWith(record);
  expect(await harness.recordEvent(event({ createdAt: T0, updatedAt: T0 + 1 }))).toBe('applied');
  expect((await harness.read(record)).state).toBe('approved');
});

test('an event is given to the request whose time it names, however many newer ones there are for the order', async () => {
  const times = Array.from({ length: 5 }, (_, n) => T0 + n * 60_000);
  const all = times.map((at, n) => ({
    ...answered(said('denied', at), { id: `r${n}` }, at),
    createdAt: at,
  }));
  const harness = await harnessWith(...all);
  expect(await harness.recordEvent(event({ createdAt: T0, updatedAt: T0 + 1 }))).toBe('applied');
  const states = await Promise.all(all.map(async (record) => (await harness.read(record)).state));
  expect(states).toEqual(['approved', 'denied', 'denied', 'denied', 'denied']);
});

describe('an event', () => {
  const pending = answered(said('pending', T0));
  const approval = event({ status: 'approved', createdAt: T0, updatedAt: T0 + 1 });

  /** Records events of T1 about orders, in a workspace with these requests. */
  async function setUp(
    records: ReturnType<typeof queued>[],
    over: Partial<RequestStore> = {},
    hasRoom = true,
  ) {
    const { create, store, read } = createEngineHarness({ answer: said('canceled') });
    for (const record of records) await create(record);
    const [woken, kept]: [string[], string[]] = [[], []];
    const deps = {
      store: { ...store, ...over },
      keepUnmatched: async ({ workspace }: { workspace: string }) => void kept.push(workspace),
      hasRoom: async () => hasRoom,
      wake: ({ id }: { id: string }) => void woken.push(id),
      timings: TIMINGS,
    };
    const record = (given = approval, bufferedBy?: string, workspace = 'T1') =>
      recordEvent(deps, { workspace, kind: 'cancel_order', event: given }, bufferedBy);
    return { deps, store, record, read, woken, kept };
  }

  test('is applied to the request that it belongs to, whose reply is then pending', async () => {
    const { record, read, woken, kept } = await setUp([pending]);
    expect(await record()).toEqual({ result: 'applied', request: pending.id });
    expect((await read(pending)).state).toBe('approved');
    expect([woken, kept]).toEqual([[pending.id], []]);
  });

  test('for which the workspace has no room is refused, unless it belongs to a request or was acknowledged', async () => {
    const { record, kept } = await setUp([pending], {}, false);
    const unmatched = event({ target: 'another', status: 'approved' });
    expect(await record(unmatched)).toBe('too_many');
    expect(kept).toEqual([]);
    expect(await record(unmatched, 'the request that had buffered it')).toEqual({ result: 'unmatched' });
    expect(await record()).toEqual({ result: 'applied', request: pending.id });
    expect(kept).toEqual(['T1']);
  });

  test('that is repeated, or older than what is recorded, changes nothing', async () => {
    const { record, read } = await setUp([pending]);
    await record();
    const { version } = await read(pending);
    const older = event({ status: 'denied', createdAt: T0, updatedAt: T0 });
    expect([await record(), await record(older)]).toMatchObject([
      { result: 'repeated' },
      { result: 'stale' },
    ]);
    expect(await read(pending)).toMatchObject({ state: 'approved', version });
  });

  test('is buffered while the call is under way', async () => {
    const { record, read } = await setUp([calling().record]);
    expect(await record()).toMatchObject({ result: 'buffered' });
    expect((await read(calling().record)).state).toBe('calling');
  });

  test('goes to the inbox where no request is its subject, those of other workspaces and the excepted one included', async () => {
    const { record, read, woken, kept } = await setUp([pending]);
    expect(await record(approval, undefined, 'T2')).toEqual({ result: 'unmatched' });
    expect(await record(approval, pending.id)).toEqual({ result: 'unmatched' });
    expect(await record(event({ target: 'A-9', updatedAt: T0 + 1 }))).toEqual({ result: 'unmatched' });
    expect([woken, kept]).toEqual([[], ['T2', 'T1', 'T1']]);
    expect((await read(pending)).state).toBe('under_review');
  });

  test('is applied to the newer record after a conflict', async () => {
    const { deps, store, read } = await setUp([pending]);
    let conflicts = 1;
    const update: RequestStore['update'] = async (entry, expected) =>
      conflicts-- > 0 ? { type: 'conflict' } : store.update(entry, expected);
    const racing = { ...deps, store: { ...store, update } };
    await recordEvent(racing, { workspace: 'T1', kind: 'cancel_order', event: approval });
    expect((await read(pending)).state).toBe('approved');
  });

  test('is not recorded, and so not acknowledged, while the storage is away', async () => {
    const update = () => Promise.reject(new Error('storage away'));
    const { record, woken } = await setUp([pending], { update });
    await expect(record()).rejects.toThrow('storage away');
    expect(woken).toEqual([]);
  });
});

test('an event whose id only reads like that of a request is kept, and applied to none', async () => {
  const record = answered(said('pending', T0));
  const harness = await harnessWith(record);
  const alike = event({ createdAt: T0, updatedAt: T0 + 1, isAltered: true });
  expect(await harness.recordEvent(alike)).toBe('unmatched');
  expect((await harness.read(record)).state).toBe('under_review');
});
