/** Reckons when a day begins and ends for a person, in their time zone. */

/** `date`: as YYYY-MM-DD; undefined: that of today. */
export type Day = 'today' | 'yesterday' | { date: string | undefined };

/** The beginning of days for a person. `today`: the date there, as YYYY-MM-DD. */
export type Calendar = { zone: string; today: string };

/** @param zone as Slack names it ("Europe/Berlin"); one that is unknown here, or missing, is UTC */
export function calendarOf(zone: string | undefined, now: number): Calendar {
  const known = zone !== undefined && isZone(zone) ? zone : 'UTC';
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(known).toPlainDate();
  return { zone: known, today: today.toString() };
}

function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** @returns epoch milliseconds: the first of the day, and the first after it. @throws RangeError if the date is none */
export function boundsOf(day: Day, { zone, today }: Calendar): { from: number; to: number } {
  const now = Temporal.PlainDate.from(today);
  const date = typeof day === 'object' ? Temporal.PlainDate.from(day.date ?? today) : now;
  const first = day === 'yesterday' ? now.subtract({ days: 1 }) : date;
  const startOf = (each: Temporal.PlainDate) => each.toZonedDateTime(zone).epochMilliseconds;
  return { from: startOf(first), to: startOf(first.add({ days: 1 })) };
}
