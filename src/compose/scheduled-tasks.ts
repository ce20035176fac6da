/**
 * Joins the scheduled tasks: retention, the search for missed uninstalls, checks of refused tokens and, once at the start, the
 * checks of the keys and of the granted scopes.
 */
import {
  createScheduledTask,
  DAILY,
  HOURLY,
  OFTEN,
  type ScheduledTask,
  type TaskTimes,
} from '../jobs/scheduled-task.ts';
import { NO_WORKSPACE } from '../outbox/record-store.ts';
import { createRetention } from '../requests/use-cases/retention.ts';
import { checkScopesOfAll } from '../slack/install/check-installed.ts';
import { countUnopened } from '../workspaces/cipher.ts';
import type { AppContext } from './context.ts';

/** A part that starts and stops with the bot. */
export type Running = ScheduledTask;

/** The times of the tasks; only tests change them. */
export type ScheduledTimes = {
  retention?: TaskTimes;
  missedUninstalls?: TaskTimes;
  pausedTokens?: TaskTimes;
};

export function createScheduledTasks(
  context: AppContext,
  stopping: AbortSignal,
  { findMissedUninstalls, checkPaused }: Record<'findMissedUninstalls' | 'checkPaused', () => Promise<void>>,
  { retention = HOURLY, missedUninstalls = DAILY, pausedTokens = OFTEN }: ScheduledTimes,
): Running[] {
  const { log, adapters } = context;
  const shared = { tasks: adapters.storage.tasks, runtime: adapters.outside.runtime, log };
  return [
    createScheduledTask(
      { ...shared, name: 'retention', times: retention },
      createRetentionWork(context, stopping),
    ),
    createScheduledTask(
      { ...shared, name: 'missed_uninstalls', times: missedUninstalls },
      findMissedUninstalls,
    ),
    createScheduledTask({ ...shared, name: 'paused_tokens', times: pausedTokens }, checkPaused),
    createStartChecks(context, stopping),
  ];
}

/** Creates the hourly task that removes what need not be kept any more. */
function createRetentionWork(
  { config, log, adapters, store, timings, slack }: AppContext,
  stopping: AbortSignal,
): () => Promise<void> {
  const { retentionMs } = config;
  /** Also records of no workspace are removed. */
  async function* workspaces() {
    yield NO_WORKSPACE;
    yield* adapters.connections.ids();
    yield* slack.installations.workspaces();
  }
  const { pause } = adapters.outside.runtime;
  const { auditEntries, recentRequests } = adapters.storage;
  const isStreaming = config.auditFile !== undefined;
  const removing = {
    retentionMs,
    pause,
    stopping,
    store,
    timings,
    auditEntries,
    recentRequests,
    isStreaming,
  };
  const steps: readonly (() => Promise<unknown>)[] = [
    createRetention({ ...removing, workspaces, log }),
    () => adapters.removeFinished(stopping),
    () => adapters.connections.sweep(log, stopping),
    adapters.installations.sweep,
    adapters.usedStates.sweep,
    adapters.storage.scrub,
  ];
  return async () => {
    // A record that can't be read must not keep the other steps from removing anything.
    for (const step of steps)
      if (!stopping.aborted) await step().catch((err) => log.error({ err }, 'expired records not removed'));
  };
}

/** Checks the keys and the scopes once, in the background: the start does not wait until all that is stored has been read. */
function createStartChecks({ log, adapters }: AppContext, stopping: AbortSignal): Running {
  let running: Promise<unknown> = Promise.resolve();

  async function checkKeys(): Promise<void> {
    const unopened = await countUnopened(adapters.sealed, stopping);
    if (unopened === 0) return;
    log.error(
      { event: 'secrets_unopened', unopened },
      'secrets of some workspaces can not be opened by any of SECRET_KEYS: put the key back that sealed them, or connect and install these workspaces again (countermand rotate-keys names them)',
    );
  }

  return {
    start() {
      running = Promise.all([
        checkKeys().catch((err) => log.error({ err }, 'keys not checked')),
        checkScopesOfAll(adapters.installations, log, stopping).catch((err) =>
          log.error({ err }, 'scopes not checked'),
        ),
      ]);
    },
    async stop() {
      await running;
    },
  };
}
