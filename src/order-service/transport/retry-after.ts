/** Retry-After as HTTP has it: seconds, or a date (RFC 9110, section 10.2.3). */

/** @returns milliseconds from `now` (epoch milliseconds) on; undefined for a header that is missing or unreadable */
export function retryAfterMs(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
