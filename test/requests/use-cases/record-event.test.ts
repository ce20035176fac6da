import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/changes/new-record.ts';
import { POLICY } from '../../support/approval-policy.ts';
import { answered, event, type queued, REQUEST, said, T0 } from '../../support/records.ts';
import { createWorld } from '../../support/world.ts';

const awaiting = (createdAt = T0) =>
  newRecord({ ...REQUEST, id: 'awaiting' }, createdAt, { policy: POLICY, earlier: [] });

async function worldWith(...records: ReturnType<typeof queued>[]) {
  const world = createWorld({ answer: said('canceled') });
  for (const record of records) await world.ask(record);
  return world;
}

describe('a request that awaits approval, and an event that its order is cancelled', () => {
  test('is ended by one that is newer', async () => {
    const world = await worldWith(awaiting());
    expect(await world.recordEvent(event({ status: 'canceled', updatedAt: T0 + 1 }))).toBe('applied');
    expect((await world.read(awaiting())).state).toBe('already_canceled');
  });

  test.each([
    ['from before it was made', { updatedAt: T0 - 3_000 }],
    ['of which nobody knows when it happened', {}],
    ['for an order that differs in case', { target: 'a-1001', updatedAt: T0 + 1 }],
  ])('is not ended by one %s, which is kept', async (_name, given) => {
    const world = await worldWith(awaiting());
    expect(await world.recordEvent(event({ status: 'canceled', ...given }))).toBe('unmatched');
    expect((await world.read(awaiting())).state).toBe('awaiting_approval');
    expect(world.inbox).toHaveLength(1);
  });

  test('is not ended by a late one about an earlier request, though it was still news for that one', async () => {
    const before = answered(said('pending', T0 - 60_000), { id: 'before' }, T0 - 60_000);
    const released = { ...before, state: 'closed' as const };
    const world = await worldWith(released, awaiting());
    const late = event({ status: 'approved', createdAt: T0 - 60_000, updatedAt: T0 - 50_000 });
    expect(await world.recordEvent(late)).toBe('applied');
    expect((await world.read(released)).state).toBe('approved');
    expect((await world.read(awaiting())).state).toBe('awaiting_approval');
  });
});

test('an event is given to the request whose order differs in case withLock, where it was requested at that moment', async () => {
  const record = answered(said('pending', T0), { target: 'a-1001' });
  const world = await worldWith(record);
  expect(await world.recordEvent(event({ createdAt: T0, updatedAt: T0 + 1 }))).toBe('applied');
  expect((await world.read(record)).state).toBe('approved');
});
