/** What the parts of the bot share once they are joined. */
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import type { Timings } from '../requests/model/pending-effects.ts';
import type { Log, RequestStore, Workspaces } from '../requests/ports/ports.ts';
import type { RateLimiter } from '../requests/ports/rate-limiter.ts';
import type { LeaveTimings } from '../workspaces/installation/uninstall.ts';
import type { Parts } from './parts.ts';
import type { SlackParts } from './slack.ts';

export type Common = {
  config: Config;
  log: Log;
  metrics: Metrics;
  parts: Parts;
  store: RequestStore;
  workspaces: Workspaces;
  timings: Timings;
  limiter: RateLimiter;
  leaveTimings: LeaveTimings;
  slack: SlackParts;
};
