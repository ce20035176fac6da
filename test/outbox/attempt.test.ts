import { describe, expect, test } from 'vitest';
import { afterAttempt, afterTidy, isCopy, lateOf } from '../../src/outbox/attempt.ts';
import { type Delivery, MISPLACED, type Tidy } from '../../src/outbox/delivery.ts';
import { backoffMs, retryAt } from '../../src/outbox/record-type.ts';

const NOW = 1_000_000;
const PLACE = { to: undefined, thread: undefined };
const LIMITS = { appearMs: 300_000, doubtMs: 30_000 };
/** A post or a search that began and ended now. */
const ATTEMPT = { since: NOW, until: NOW, ...PLACE, ...LIMITS, now: NOW };

describe('the next try', () => {
  test('is a second away, then twice as long each time, and a minute at most', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 1_000_000].map(backoffMs);
    expect(waits.map((ms) => ms / 1_000)).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('comes no sooner than the other side has asked for', () => {
    expect([retryAt(NOW, 1), retryAt(NOW, 1, 500), retryAt(NOW, 1, 30_000)]).toEqual([
      NOW + 1_000,
      NOW + 1_000,
      NOW + 30_000,
    ]);
  });
});

test('nothing of a process whose claim has expired is applied but a message that is in Slack, or may be', () => {
  const late = { posted: 'posted', doubtful: 'doubtful' };
  expect(lateOf({ type: 'posted', channel: 'C1', ts: '1.0' }, late)).toBe('posted');
  expect(lateOf({ type: 'doubtful', code: 'timeout' }, late)).toBe('doubtful');
  expect(lateOf({ type: 'absent' }, late)).toBeUndefined();
  expect(lateOf({ type: 'refused', code: 'x' }, late)).toBeUndefined();
  expect(lateOf({ type: 'later', code: 'ratelimited' }, late)).toBeUndefined();
});

test('copies that a tidy had to leave are tried again after a second, then after twice as long each time', () => {
  const none = { kept: undefined, removed: 0, linked: 0, voters: [], uncounted: [] };
  const after = (before: Delivery, left: string[]) =>
    afterTidy(before, { place: PLACE, result: { type: 'tidied', ...none, left }, now: NOW });
  const tidy = { since: NOW, until: NOW, tries: 0, notBefore: NOW };
  let delivery = after({ status: 'given_up', code: 'obsolete', tidies: [tidy] }, ['1.1']);
  const waits = [delivery.tidies?.[0]?.notBefore];
  for (let tries = 1; tries < 4; tries++) {
    delivery = after(delivery, ['1.1']);
    waits.push(delivery.tidies?.[0]?.notBefore);
  }
  expect(waits).toEqual([1, 2, 4, 8].map((seconds) => NOW + seconds * 1_000));
  expect(after(delivery, [])).toEqual({ status: 'given_up', code: 'obsolete' });
});

test('a search that Slack refuses is tried again after a second, then after twice as long each time, for five minutes', () => {
  let delivery: Delivery = { status: 'doubtful', tries: 0, notBefore: NOW, since: NOW, until: NOW };
  const waits: number[] = [];
  while (delivery.status === 'doubtful') {
    const { notBefore: now } = delivery;
    waits.push((now - NOW) / 1_000);
    delivery = afterAttempt(delivery, { type: 'refused', code: 'not_in_channel' }, { ...ATTEMPT, now });
  }
  expect(waits).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303]);
  expect(delivery).toMatchObject({ status: 'given_up', code: 'not_in_channel', tidies: [{ since: NOW }] });
});

describe('a message that is posted, or found', () => {
  const MESSAGE = { channel: 'C1', ts: '1.1' };
  const MINUTE = 60_000;
  const doubtful = { status: 'doubtful', tries: 1, notBefore: NOW, since: NOW - MINUTE, until: NOW } as const;
  /** From an attempt before that. */
  const tidy: Tidy = { since: NOW - 9 * MINUTE, until: NOW - 8 * MINUTE, tries: 0, notBefore: NOW };
  const posted = (before: Parameters<typeof afterAttempt>[0]) =>
    afterAttempt(before, { type: 'posted', ...MESSAGE }, ATTEMPT);

  test('owes no tidy if only one attempt can have posted it', () => {
    expect(posted({ status: 'owed', tries: 0, notBefore: NOW })).toEqual({ status: 'posted', ...MESSAGE });
    expect(posted(doubtful)).toEqual({ status: 'posted', ...MESSAGE });
  });

  test('owes a tidy of the attempts before it, once Slack certainly lists the message', () => {
    const { tidies } = posted({ status: 'owed', tries: 0, notBefore: NOW, tidies: [tidy] });
    expect(tidies).toEqual([{ ...tidy, notBefore: NOW + LIMITS.appearMs }]);
  });

  test('owes a tidy of all attempts if each of them may have posted it', () => {
    const { tidies } = posted({ ...doubtful, tidies: [tidy] });
    expect(tidies).toEqual([{ ...tidy, until: doubtful.until, notBefore: NOW + LIMITS.appearMs }]);
  });

  test('owes that tidy until the latest of these attempts can have appeared', () => {
    const { tidies } = posted({ ...doubtful, tidies: [{ ...tidy, until: NOW + MINUTE }] });
    expect(tidies).toMatchObject([{ until: NOW + MINUTE, notBefore: NOW + MINUTE + LIMITS.appearMs }]);
  });

  test('is not found in another thread than that of the attempt, whose copy is tidied there', () => {
    const { tidies } = afterAttempt(
      { ...doubtful, thread: '1.0' },
      { type: 'absent' },
      { ...ATTEMPT, thread: '2.0' },
    );
    expect(tidies).toMatchObject([{ thread: '1.0' }]);
  });

  test('still owes the tidies of earlier attempts where nobody knows whether the next one has posted it', () => {
    const owed = { status: 'owed', tries: 0, notBefore: NOW } as const;
    const after = afterAttempt({ ...owed, tidies: [tidy] }, { type: 'doubtful', code: 'timeout' }, ATTEMPT);
    expect(after).toMatchObject({ status: 'doubtful', tidies: [tidy] });
  });

  test('is a copy unless it is the recorded one', () => {
    const recorded = { status: 'posted', ...MESSAGE } as const;
    const now = { type: 'posted', ...MESSAGE } as const;
    expect(isCopy(recorded, now)).toBe(false);
    expect(isCopy(recorded, { ...now, ts: '2.2' })).toBe(true);
    expect(isCopy({ status: 'owed', tries: 0, notBefore: NOW }, now)).toBe(true);
    expect(isCopy(recorded, { type: 'doubtful', code: 'timeout' })).toBe(true);
    expect(isCopy(recorded, { type: 'absent' })).toBe(false);
  });
});

test('a tidy that has to wait is tried again after a second, then after twice as long each time', () => {
  const doubtful = { status: 'doubtful', tries: 5, notBefore: NOW, since: NOW, until: NOW } as const;
  let delivery = afterAttempt(doubtful, { type: 'absent' }, ATTEMPT);
  const waits: unknown[] = [];
  for (let tries = 0; tries < 3; tries++) {
    const result = { type: 'later', code: 'ratelimited' } as const;
    delivery = afterTidy(delivery, { place: PLACE, result, now: NOW });
    waits.push(delivery.tidies?.[0]?.notBefore);
  }
  expect(waits).toEqual([1, 2, 4].map((seconds) => NOW + seconds * 1_000));
});

test('a reply that Slack has posted outside of its thread is given up, and owes a tidy', () => {
  const place = { to: 'thread', thread: '1.0' } as const;
  const owed = { status: 'owed', tries: 0, notBefore: NOW } as const;
  const misplaced = { type: 'refused', code: MISPLACED } as const;
  expect(afterAttempt(owed, misplaced, { ...ATTEMPT, ...place })).toEqual({
    status: 'given_up',
    code: MISPLACED,
    tidies: [{ ...place, since: NOW, until: NOW, tries: 0, notBefore: NOW + LIMITS.appearMs }],
  });
});
