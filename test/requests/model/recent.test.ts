/** How many requests a person has made within an hour, and when admins are told that they met the limit. */
import { describe, expect, test } from 'vitest';
import {
  isOutdated,
  nothingMade,
  usageOf,
  withoutRequest,
  withRequest,
} from '../../../src/requests/model/recent.ts';
import { T0 } from '../../support/requests/records.ts';

const HOUR = 60 * 60_000;
const limit = 3;

/** Counts clicks, one a second. */
const made = (...keys: string[]) =>
  keys.reduce(
    (record, key, n) => withRequest(record, { key, limit, now: T0 + n * 1_000 }).record,
    nothingMade('T1', 'UANA'),
  );

describe('admins are told', () => {
  test('once the limit is met, and not before', () => {
    expect(made('a', 'b').toldAt).toBeUndefined();
    expect(made('a', 'b', 'c').toldAt).toBe(T0 + 2_000);
  });

  test('once an hour, however often the person goes on', () => {
    const met = made('a', 'b', 'c');
    const again = withRequest(met, { key: 'd', limit, now: T0 + 10_000 });
    expect(again).toEqual({ record: met, isCounted: false });
    const later = ['d', 'e', 'f'].reduce(
      (record, key, n) => withRequest(record, { key, limit, now: T0 + HOUR + 10_000 + n }).record,
      met,
    );
    expect(later.toldAt).toBe(T0 + HOUR + 10_002);
  });
});

test('a click counts once, however often Slack delivers it, also once the limit is met', () => {
  expect(made('a', 'a').made).toEqual([{ key: 'a', at: T0 }]);
  expect(withRequest(made('a', 'b', 'c'), { key: 'b', limit, now: T0 + 5_000 }).isCounted).toBe(true);
});

test('the next request is possible once the oldest that is in the way is an hour old', () => {
  expect(usageOf(made('a', 'b'), limit, T0 + 5_000)).toEqual({ made: 2, limit });
  expect(usageOf(made('a', 'b', 'c'), limit, T0 + 5_000)).toEqual({ made: 3, limit, again: T0 + HOUR });
  // Admins have set a lower limit since.
  expect(usageOf(made('a', 'b', 'c'), 2, T0 + 5_000)).toEqual({
    made: 3,
    limit: 2,
    again: T0 + 1_000 + HOUR,
  });
  expect(usageOf(made('a', 'b', 'c'), limit, T0 + HOUR)).toEqual({ made: 2, limit });
});

test('a request that was not made is taken back', () => {
  const record = made('a', 'b');
  expect(withoutRequest(record, 'a').made).toEqual([{ key: 'b', at: T0 + 1_000 }]);
  expect(withoutRequest(record, 'c')).toBe(record);
});

test('nothing depends on the count once all is an hour old, also that admins were told', () => {
  const record = { ...nothingMade('T1', 'UANA'), toldAt: T0 };
  expect([T0, T0 + HOUR - 1, T0 + HOUR].map((now) => isOutdated(record, now))).toEqual([false, false, true]);
  expect([T0, T0 + HOUR].map((now) => isOutdated(made('a'), now))).toEqual([false, true]);
});
