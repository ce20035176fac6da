/**
 * Everything that waits for a dead process, made short, and yet in proportion: what goes outside under a claim is over
 * before half of it, as in real life. A Slack act makes up to four calls in a row; a call at the service first reads the
 * token from Redis, which may take its 1.5 s.
 */
import type { Timings } from '../../src/requests/model/pending-effects.ts';
import type { UninstallTimings } from '../../src/workspaces/installation/uninstall.ts';

export const TIMINGS: Timings = {
  claimMs: 6_000,
  doubtMs: 1_500,
  appearMs: 5_000,
  unclearMs: 10 * 60_000,
  expiresAfterMs: 20 * 60_000,
  unconfirmedMs: 30_000,
};
/** Long enough for whoever is frozen past a claim, and writes after that. */
export const LEAVING: UninstallTimings = {
  recheckMs: 500,
  retryMs: 500,
  longestRetryMs: 1_000,
  revokeForMs: 10_000,
  graceMs: 60_000,
  lateWritesMs: 2 * TIMINGS.claimMs,
  removingMs: 2 * TIMINGS.claimMs,
};
export const SLACK_TIMEOUT_MS = 700;
export const SERVICE_DEADLINE_MS = 1_400;
export const SWEEP_MS = 250;
/** As in real life, half of a claim: how long a job of a dead worker lies there. */
export const LOCK_MS = 3_000;

/** Later than a client waits, and up to long after it was looked for: what appears then is tidied. */
export const LATE_POST_MS: readonly [number, number] = [SLACK_TIMEOUT_MS + 200, TIMINGS.appearMs - 1_000];
