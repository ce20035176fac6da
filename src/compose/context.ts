/** Creates what the parts of the bot share: the adapters to the storage, the order service and Slack, and the times. */
import type { Config } from '../config.ts';
import type { RunnerOptions } from '../jobs/runner.ts';
import type { TaskTimes } from '../jobs/scheduled-task.ts';
import type { Log } from '../outbox/ports.ts';
import { TIMINGS, type Timings } from '../requests/model/timings.ts';
import type { Workspaces } from '../requests/ports/ports.ts';
import type { SlackRoutes } from '../slack/routes.ts';
import { connectionState } from '../workspaces/connection/tokens.ts';
import type { UninstallTimings } from '../workspaces/installation/uninstall-record.ts';
import { type AdapterOverrides, type Adapters, createAdapters, type Outside } from './adapters.ts';
import { createSlackAdapters, type SlackOverrides } from './slack.ts';

/** `replica`: the name of the process in its claims. Only tests and the bench set the others. */
export type Overrides = AdapterOverrides &
  SlackOverrides & {
    replica?: string;
    timings?: Timings;
    routes?: (routes: SlackRoutes) => SlackRoutes;
    uninstallTimings?: UninstallTimings;
    runner?: Partial<RunnerOptions>;
    retention?: TaskTimes;
    missedUninstalls?: TaskTimes;
    pausedTokens?: TaskTimes;
  };

export type AppContext = ReturnType<typeof createContext>;

/** `stopping`: aborted at shutdown, so that no new effect begins. */
type Given = { config: Config; log: Log; stopping: AbortSignal; overrides: Overrides; outside: Outside };

export function createContext({ config, log, stopping, overrides, outside }: Given) {
  const adapters = createAdapters(config, outside, log, overrides);
  return {
    config,
    log,
    stopping,
    overrides,
    adapters,
    workspaces: workspacesOf(adapters),
    timings: overrides.timings ?? TIMINGS,
    slack: createSlackAdapters({ config, adapters, log }, overrides),
  };
}

const workspacesOf = ({ connections, settings }: Adapters): Workspaces => ({
  connection: (workspace) => connectionState(connections, workspace),
  settings: settings.read,
  inForce: settings.inForce,
});
