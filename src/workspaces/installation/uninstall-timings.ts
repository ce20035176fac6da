/** The durations of an uninstall, in milliseconds. */
export type UninstallTimings = {
  /** Wait before a working token is checked again: Slack may still accept a token that it has just revoked. */
  recheckMs: number;
  retryMs: number;
  longestRetryMs: number;
  /** The time for which an unresponsive order service is asked to revoke a token. */
  revokeForMs: number;
  /** The wait after revoked tokens for the report of an uninstall, or for new tokens. */
  graceMs: number;
  /** Longer than any task that began before the installation was removed: a process may be frozen for minutes. */
  lateWritesMs: number;
  /** How long a claim to remove data stands. Removing takes minutes if there are very many requests. */
  removingMs: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const UNINSTALL_TIMINGS: UninstallTimings = {
  recheckMs: MINUTE_MS,
  retryMs: 5_000,
  longestRetryMs: 10 * MINUTE_MS,
  revokeForMs: DAY_MS,
  graceMs: DAY_MS,
  lateWritesMs: 15 * MINUTE_MS,
  removingMs: 10 * MINUTE_MS,
};
