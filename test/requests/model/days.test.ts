import { describe, expect, test } from 'vitest';
import { boundsOf, calendarOf, type Day } from '../../../src/requests/model/days.ts';

const NOON = Date.UTC(2026, 10, 25, 12);
const iso = (day: Day, zone: string | undefined, now = NOON) => {
  const { from, to } = boundsOf(day, calendarOf(zone, now));
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
};

describe('a day begins at midnight where the person is', () => {
  test.each<[Day, string | undefined, string, string]>([
    ['today', 'UTC', '2026-11-25T00:00', '2026-11-26T00:00'],
    ['yesterday', 'UTC', '2026-11-24T00:00', '2026-11-25T00:00'],
    ['today', 'Europe/Amsterdam', '2026-11-24T23:00', '2026-11-25T23:00'],
    ['yesterday', 'America/Los_Angeles', '2026-11-24T08:00', '2026-11-25T08:00'],
    // It is tomorrow there already.
    ['today', 'Pacific/Kiritimati', '2026-11-25T10:00', '2026-11-26T10:00'],
    [{ date: '2026-11-02' }, 'Asia/Kolkata', '2026-11-01T18:30', '2026-11-02T18:30'],
    [{ date: undefined }, 'UTC', '2026-11-25T00:00', '2026-11-26T00:00'],
    // The clocks go back on that day, and forward on the other one.
    [{ date: '2026-10-25' }, 'Europe/Amsterdam', '2026-10-24T22:00', '2026-10-25T23:00'],
    [{ date: '2026-03-29' }, 'Europe/Amsterdam', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['yesterday', undefined, '2026-11-24T00:00', '2026-11-25T00:00'],
    ['yesterday', 'Middle-earth/Shire', '2026-11-24T00:00', '2026-11-25T00:00'],
  ])('%o in %s', (day, zone, from, to) => {
    expect(iso(day, zone)).toEqual([from, to]);
  });

  test('and a zone that Slack does not give, or nobody knows, is UTC', () => {
    for (const zone of [undefined, '', 'Middle-earth/Shire'])
      expect(calendarOf(zone, NOON)).toEqual({ zone: 'UTC', today: '2026-11-25' });
    expect(calendarOf('Asia/Tokyo', Date.UTC(2026, 10, 25, 16))).toEqual({
      zone: 'Asia/Tokyo',
      today: '2026-11-26',
    });
  });
});
