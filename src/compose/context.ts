/** Defines what the parts of the bot share once they are joined. */
import type { Config } from '../config.ts';
import type { Log, RateLimiter } from '../outbox/ports.ts';
import type { Timings } from '../requests/model/pending-effects.ts';
import type { RequestStore, Workspaces } from '../requests/ports/ports.ts';
import type { UninstallTimings } from '../workspaces/installation/uninstall-record.ts';
import type { Adapters } from './adapters.ts';
import type { SlackAdapters } from './slack.ts';

export type AppContext = {
  config: Config;
  log: Log;
  adapters: Adapters;
  store: RequestStore;
  workspaces: Workspaces;
  timings: Timings;
  limiter: RateLimiter;
  uninstallTimings: UninstallTimings;
  slack: SlackAdapters;
};
