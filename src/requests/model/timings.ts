/** The times of a request's effects: how long claims last, what waits for how long, and when it expires. */

export type Timings = typeof TIMINGS;

/** All in milliseconds. */
export const TIMINGS = {
  /** Lifetime of a claim. Every deadline of an effect is shorter than half of it. */
  claimMs: 60_000,
  /** Wait before searching for a doubtful post. */
  doubtMs: 30_000,
  /** The longest time that a written request may take to appear in Slack. After that, no further copy appears. */
  appearMs: 5 * 60_000,
  /** Changes of a message within this time become one update at its end. */
  apartMs: 1_000,
  /** Wait before the requester learns that the card can't be posted yet. */
  delayedMs: 5_000,
  /** Wait before the requester learns that a delivery is unclear. */
  unclearMs: 10 * 60_000,
  /** Wait before a request that could not be sent expires. */
  expiresAfterMs: 15 * 60_000,
  /** Wait before an admin learns that the votes can't be confirmed. */
  unconfirmedMs: 30_000,
};
