import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/changes/new-record.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, event, type queued, REQUEST, said, T0 } from '../../support/requests/records.ts';

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

test('an event is given to the request whose order differs in case withLock, where it was requested at that moment', async () => {
  const record = answered(said('pending', T0), { target: 'a-1001' });
  const harness = await harnessWith(record);
  expect(await harness.recordEvent(event({ createdAt: T0, updatedAt: T0 + 1 }))).toBe('applied');
  expect((await harness.read(record)).state).toBe('approved');
});
