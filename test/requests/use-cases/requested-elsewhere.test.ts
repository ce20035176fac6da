/** Events about a request for the same order that was made elsewhere: in the order service's portal, or in another workspace. */
import { describe, expect, test } from 'vitest';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, event, queued, said, T0 } from '../../support/requests/records.ts';

const MINUTE = 60_000;

/** An event about a request made at a time. `after`: the time from there to the change. */
const about = (createdAt: number, status: ServiceEvent['status'], after: number, given = {}): ServiceEvent =>
  event({ status, createdAt, updatedAt: createdAt + after, ...given });

const own = (status: ServiceEvent['status'], after: number) => about(T0, status, after);
const elsewhere = (status: ServiceEvent['status'], after: number) =>
  about(T0 + MINUTE, status, after, status === 'accepted' ? { word: 'ESCALATED' } : {});

/** A workspace with a request, whose time an event has named. */
async function confirmed(record: RequestRecord = answered(said('pending', T0))) {
  const harness = createEngineHarness({ answer: said('pending', T0) });
  await harness.create(record);
  await harness.recordEvent(about(T0, 'pending', 0, { topic: 'created' }));
  return harness;
}

describe('once an event has named the time of our request, a word about one made elsewhere', () => {
  const WORDS = ['denied', 'pending', 'accepted'] as const;

  test.each([
    ['in review', [], 'under_review'],
    ['denied', ['denied'], 'denied'],
    ['approved', ['approved'], 'approved'],
  ] as const)('does not change one that is %s, and is kept', async (_name, before, state) => {
    const { recordEvent, read, inbox } = await confirmed();
    for (const status of before) await recordEvent(own(status, MINUTE / 2));
    const known = await read();
    expect(known.state).toBe(state);
    const words = WORDS.map((status, n) => elsewhere(status, n));
    for (const word of words) expect(await recordEvent(word)).toBe('unmatched');
    expect(await read()).toEqual(known);
    expect(inbox).toMatchObject(words);
  });

  test('does not reopen an earlier request for that order either, whose time no event has named', async () => {
    const earlier = answered(said('denied', T0 - MINUTE), { id: 'earlier' }, T0 - MINUTE);
    const { create, recordEvent, read } = await confirmed();
    await create(earlier);
    expect(await recordEvent(elsewhere('pending', 1))).toBe('unmatched');
    expect((await read(earlier)).state).toBe('denied');
  });

  test('cancels the order, which outweighs a denial of ours', async () => {
    const { recordEvent, read } = await confirmed();
    expect(await recordEvent(elsewhere('approved', 100))).toBe('applied');
    await recordEvent(own('denied', 5 * MINUTE));
    expect((await read()).state).toBe('approved');
  });
});

describe('where a request made elsewhere has cancelled the order, a later word about it', () => {
  test('takes that back: ours is still in review', async () => {
    const { recordEvent, read } = await confirmed();
    await recordEvent(elsewhere('approved', 100));
    expect(await recordEvent(elsewhere('denied', 200))).toBe('applied');
    expect((await read()).state).toBe('under_review');
    await recordEvent(own('denied', 5 * MINUTE));
    expect((await read()).state).toBe('denied');
  });

  test('takes that back, where ours was denied', async () => {
    const { recordEvent, read } = await confirmed();
    await recordEvent(elsewhere('approved', 100));
    await recordEvent(own('denied', 5 * MINUTE));
    expect(await recordEvent(elsewhere('denied', 200))).toBe('applied');
    expect((await read()).state).toBe('denied');
  });

  test('changes nothing if it comes again, or is older', async () => {
    const { recordEvent, read, inbox } = await confirmed();
    await recordEvent(elsewhere('approved', 100));
    const { version } = await read();
    expect(await recordEvent(elsewhere('pending', 50))).toBe('stale');
    expect(await recordEvent(elsewhere('approved', 100))).toBe('repeated');
    expect(await read()).toMatchObject({ state: 'approved', version });
    expect(inbox).toEqual([]);
  });
});

test('an event that was applied before its owner was known is no news if it comes again', async () => {
  const harness = createEngineHarness({ answer: said('pending', T0) });
  await harness.create(answered(said('pending', T0)));
  const early = elsewhere('pending', 1);
  await harness.recordEvent(early);
  await harness.recordEvent(own('pending', 5 * MINUTE));
  expect(await harness.recordEvent(early)).toBe('repeated');
  expect(harness.inbox).toEqual([]);
});

describe('during a call, a denial of a request made elsewhere', () => {
  test.each([
    ['before', (denial: ServiceEvent, named: ServiceEvent) => [denial, named]],
    ['after', (denial: ServiceEvent, named: ServiceEvent) => [named, denial]],
  ])('waits, and is kept where an event %s it names our time', async (_when, inOrder) => {
    const harness = createEngineHarness({ answer: said('pending', T0) });
    const earlier = answered(said('approved', T0 - MINUTE), { id: 'earlier' }, T0 - MINUTE);
    await harness.create(earlier);
    await harness.create();
    const denial = elsewhere('denied', 5);
    const named = about(T0, 'pending', 0, { topic: 'created' });
    const carryOut = async () => {
      for (const each of inOrder(denial, named)) expect(await harness.recordEvent(each)).toBe('buffered');
      return { answer: said('pending', T0) };
    };
    await advanceRequest(harness.deps({ calls: { carryOut } }), queued());
    expect((await harness.read()).state).toBe('under_review');
    expect((await harness.read(earlier)).state).toBe('approved');
    expect(harness.inbox).toMatchObject([denial]);
  });
});
