import { describe, expect, test } from 'vitest';
import { formatSlackDate } from '../../../page/client/blocks/slack-date.ts';

/** Returns a time in the reader's own time zone. */
const local = (day: number, hour = 12, minute = 0, second = 0) =>
  new Date(2026, 2, day, hour, minute, second).getTime();
const NOW = local(20);

/** Formats with plain spaces, because some versions of Node put another space between a time and its AM. */
const format = (at: number, form: string, now: number = NOW) =>
  formatSlackDate(at / 1_000, form, now).replaceAll(/\s/g, ' ');

test.each([
  ['{time}', '3:04 PM'],
  ['{date_short_pretty} at {time}', 'Mar 5, 2026 at 3:04 PM'],
  ['{ago}', '15 days ago'],
  ['{unknown} {time', '{unknown} {time'],
])('%s reads %s', (form, text) => {
  expect(format(local(5, 15, 4, 9), form, local(20, 15, 4, 9))).toBe(text);
});

describe('a pretty date', () => {
  test.each([
    ['yesterday', 19],
    ['today', 20],
    ['tomorrow', 21],
  ])('is %s from the first minute of a day to its last', (text, day) => {
    for (const at of [local(day, 0, 0), local(day, 23, 59, 59)]) {
      for (const now of [local(20, 0, 0), NOW, local(20, 23, 59, 59)]) {
        expect(format(at, '{date_short_pretty}', now)).toBe(text);
      }
    }
  });

  test('is a date beyond that', () => {
    expect(format(local(18, 23, 59), '{date_short_pretty}')).toBe('Mar 18, 2026');
    expect(format(local(22, 0, 0), '{date_short_pretty}')).toBe('Mar 22, 2026');
  });
});

describe('{ago}', () => {
  const SECOND = 1_000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;
  test.each([
    [0, 'now'],
    [-1 * SECOND, '1 second ago'],
    [-1 * MINUTE, '1 minute ago'],
    [-90 * SECOND, '1 minute ago'],
    [-2 * HOUR, '2 hours ago'],
    [-24 * HOUR, 'yesterday'],
    [-72 * HOUR, '3 days ago'],
    [5 * MINUTE, 'in 5 minutes'],
  ])('%i ms from now is %s', (passed, text) => {
    expect(format(NOW + passed, '{ago}')).toBe(text);
  });
});
