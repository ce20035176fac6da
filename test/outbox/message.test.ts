import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterLateUpdate,
  afterUpdate,
  isRefused,
  type Message,
  newUpkeep,
  type Upkeep,
  updateAtOf,
  withPlace,
} from '../../src/outbox/message.ts';

const NOW = 1_000_000;
const FIRST_REVISION = 1;
const shown = { ...newUpkeep(NOW), shown: 7 };

test('a new message owes an update for the first revision', () => {
  expect(updateAtOf(newUpkeep(NOW), FIRST_REVISION)).toBe(NOW);
});

test('a message whose update was overtaken owes another one, whichever revision it showed', () => {
  const overtaken = afterLateUpdate(shown, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
  expect(updateAtOf(overtaken, FIRST_REVISION)).toBe(NOW);
});

type Result = 'posted' | 'kept' | 'out_of_reach' | 'later' | 'doubtful';

const tried = (upkeep: Upkeep, type: Result, rendered: number, now: number) =>
  afterUpdate(
    upkeep,
    { type, code: 'edit_window_closed' },
    { rendered, startedAt: now, now, appearMs: 300_000, apartMs: 1_000 },
  );

/**
 * The times from now on at which a revision is tried, each with the same result: a hundred at most. `rendered`: the revision of
 * the record by then, which is later where a reply owes an earlier one.
 */
function triesOf(upkeep: Upkeep, type: Result, revision: number, now = NOW, rendered = revision): number[] {
  const tries: number[] = [];
  let next = upkeep;
  for (let at = updateAtOf(next, revision); at !== undefined; at = updateAtOf(next, revision)) {
    const triedAt = Math.max(at, now);
    tries.push(triedAt);
    if (tries.length === 100) break;
    next = tried(next, type, rendered, triedAt);
  }
  return tries;
}

describe('an update that Slack refuses', () => {
  test('is tried again after a second, then after twice as long each time, later each day, for a week', () => {
    const tries = triesOf(newUpkeep(NOW), 'kept', 2).map((at) => (at - NOW) / 1_000);
    expect(tries.slice(0, 6)).toEqual([0, 1, 2, 4, 8, 16]);
    const days = tries.map((seconds) => seconds / 86_400);
    expect(days.findLast((day) => day < 1)).toBeCloseTo(0.76);
    expect(days.filter((day) => day >= 1).map(Math.floor)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('is tried at once where there is a newer revision, or may be an older one, and after a backoff where Slack fails', () => {
    const refused = tried(tried(shown, 'kept', 8, NOW), 'kept', 8, NOW + 60_000);
    expect(updateAtOf(refused, 8)).toBe(NOW + 120_000);
    expect(updateAtOf(refused, 9)).toBe(NOW + 61_000);
    expect(updateAtOf(tried(refused, 'later', 8, NOW + 120_000), 8)).toBe(NOW + 121_000);
    const overtaken = afterLateUpdate(refused, { type: 'posted' }, { now: NOW, appearMs: 1_000 });
    expect(updateAtOf(overtaken, 8)).toBe(NOW + 61_000);
  });

  test('is tried for a week again where it is of a newer revision', () => {
    const later = NOW + 6 * 24 * 60 * 60_000;
    const newer = tried(tried(shown, 'kept', 8, NOW), 'kept', 9, later);
    expect(updateAtOf(newer, 9)).toBe(later + 1_000);
  });

  test('is over once Slack takes one, and so is the backoff of those that failed before', () => {
    const refused = tried(shown, 'kept', 8, NOW);
    expect(updateAtOf(tried(refused, 'posted', 8, NOW + 1_000), 8)).toBeUndefined();
    const failing = [1, 2, 3].reduce((upkeep) => tried(upkeep, 'later', 8, NOW), shown);
    expect(updateAtOf(failing, 8)).toBe(NOW + 4_000);
    const posted = tried(failing, 'posted', 8, NOW);
    expect(updateAtOf(tried(posted, 'later', 9, NOW), 9)).toBe(NOW + 1_000);
  });

  test.for(['kept', 'out_of_reach'] as const)(
    'is tried as seldom where it only repeats one that may have been overwritten: %s',
    (type) => {
      const doubtful = tried(shown, 'doubtful', 8, NOW);
      const repeated = tried(doubtful, 'posted', 8, NOW + 1_000);
      const tries = triesOf(repeated, type, 8);
      expect(tries[0]).toBe(NOW + 300_000);
      expect(tries.filter((at) => at < NOW + 3_600_000).length).toBeLessThan(15);
      expect(isRefused(tried(repeated, type, 8, NOW + 300_000), 8)).toBe(true);
      expect(triesOf(repeated, type, 8, NOW, 9)).toEqual(tries);
    },
  );
});

test('whatever came of its updates so far, a message takes few more, and none in the end unless it is out of reach', () => {
  const update = fc.record({
    type: fc.constantFrom<Result>('posted', 'kept', 'out_of_reach', 'later', 'doubtful'),
    isLate: fc.boolean(),
    isNewer: fc.boolean(),
    waits: fc.constantFrom(0, 1_000, 70_000, 400_000, 2 * 86_400_000),
  });
  fc.assert(
    fc.property(fc.array(update, { maxLength: 12 }), (updates) => {
      let revision = 1;
      let now = NOW;
      let upkeep: Upkeep = newUpkeep(now);
      for (const { type, isLate, isNewer, waits } of updates) {
        if (isNewer) revision += 1;
        const at = updateAtOf(upkeep, revision);
        now = Math.max(now, at ?? now) + waits;
        if (isLate) upkeep = afterLateUpdate(upkeep, { type, code: 'timeout' }, { now, appearMs: 300_000 });
        else if (at !== undefined) upkeep = tried(upkeep, type, revision, now);
      }
      const tries = (each: Result) => triesOf(upkeep, each, revision, now);
      expect(tries('posted').length).toBeLessThan(3);
      expect(tries('kept').length).toBeLessThan(30);
      expect(tries('out_of_reach').filter((at) => at < now + 3_600_000).length).toBeLessThan(4);
    }),
  );
});

test('a message whose place another copy has taken owes an update, and has its destination', () => {
  const message = {
    key: 'card',
    at: NOW,
    delivery: { status: 'posted' as const, channel: 'C1', ts: '1.1' },
    to: 'thread' as const,
    upkeep: shown,
  } satisfies Message;
  const location = { channel: 'C2', ts: '2.2' };
  const placed = withPlace(message, location, 'requester');
  expect(placed).toMatchObject({ location, to: 'requester' });
  expect(updateAtOf(placed.upkeep ?? shown, FIRST_REVISION)).toBe(NOW);
  expect(withPlace(message, location, undefined).to).toBeUndefined();
});
