/** Says when something that failed is tried again. */

/**
 * Returns the time of the next try, epoch milliseconds: after a backoff, and no sooner than a 429 allows.
 *
 * @param tries the number of tries so far
 * @param retryAfterMs the wait that the other side has asked for
 */
export const retryAt = (now: number, tries: number, retryAfterMs = 0): number =>
  now + Math.max(retryAfterMs, backoffMs(tries));

/** Milliseconds to wait before try number `tries` + 1: 1 s, doubling, at most one minute. */
export function backoffMs(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(10, Math.max(0, tries - 1)));
}
