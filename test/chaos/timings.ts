/**
 * Short waits for a dead process, in the same proportion as in real life: an effect is over before half of its claim. An
 * effect at Slack makes up to four calls in a row; a call at the service first reads the token from Redis, which may take
 * 1.5 s.
 */
import type { Timings } from '../../src/requests/model/timings.ts';
import type { UninstallTimings } from '../../src/workspaces/installation/uninstall-record.ts';

export const TIMINGS: Timings = {
  claimMs: 5_000,
  doubtMs: 1_500,
  appearMs: 5_000,
  apartMs: 100,
  delayedMs: 60_000,
  unclearMs: 10 * 60_000,
  expiresAfterMs: 20 * 60_000,
  unconfirmedMs: 30_000,
};
/** Long enough for a process that is frozen past its claim and then writes. */
export const UNINSTALL_TIMINGS: UninstallTimings = {
  recheckMs: 500,
  retryMs: 500,
  longestRetryMs: 1_000,
  revokeForMs: 10_000,
  graceMs: 60_000,
  lateWritesMs: 2 * TIMINGS.claimMs,
  removingMs: 2 * TIMINGS.claimMs,
};
export const SLACK_TIMEOUT_MS = 600;
export const SERVICE_DEADLINE_MS = 1_000;
export const SWEEP_MS = 250;
/** The time that a job of a dead worker stays locked: half of a claim, as in real life. */
export const LOCK_MS = 2_500;

/** Delays of a post: longer than a client waits, and up to long after the search for it, so that it must be tidied. */
export const LATE_POST_MS: readonly [number, number] = [SLACK_TIMEOUT_MS + 200, TIMINGS.appearMs - 1_000];
