/**
 * Creates the scheduled tasks: retention, the search for missed uninstalls, checks of refused tokens and, once at the start, the
 * checks of the keys, of the granted scopes, and of workspaces without an installation.
 */
import { createScheduledTask, DAILY, HOURLY, OFTEN, type TaskTimes } from '../jobs/scheduled-task.ts';
import type { Log } from '../outbox/ports.ts';
import { createRetention } from '../requests/use-cases/retention.ts';
import type { Installations } from '../slack/client/installation.ts';
import { checkScopesOfAll } from '../slack/install/check-installed.ts';
import { isFull } from '../storage/storage.ts';
import { countUnopened } from '../workspaces/cipher.ts';
import { installedFields } from '../workspaces/installation/installation-record.ts';
import type { Adapters } from './adapters.ts';
import type { AppContext } from './context.ts';

/** A part that starts and stops with the bot. */
export type Running = { start(): void; stop(): Promise<void> };

type Work = () => Promise<void>;

export function createScheduledTasks(
  context: AppContext,
  { findMissedUninstalls, checkPaused }: { findMissedUninstalls: Work; checkPaused: Work },
): Running[] {
  const { log, adapters, overrides } = context;
  const shared = { tasks: adapters.storage.tasks, runtime: adapters.outside.runtime, log };
  const task = (name: string, times: TaskTimes, work: Work, runsDespite?: (reason: unknown) => boolean) =>
    createScheduledTask({ ...shared, name, times, runsDespite }, work);
  return [
    // Runs even if a full Redis takes no claim, because it makes room. Then several replicas may run it at once, which does no
    // harm: each removal checks again that it is right.
    task('retention', overrides.retention ?? HOURLY, createRetentionWork(context), isFull),
    task('missed_uninstalls', overrides.missedUninstalls ?? DAILY, findMissedUninstalls),
    task('paused_tokens', overrides.pausedTokens ?? OFTEN, checkPaused),
    createStartChecks(context),
  ];
}

/** Creates the hourly task that removes what need not be kept any more. */
function createRetentionWork({ config, log, stopping, adapters, timings }: AppContext): Work {
  const { storage, connections } = adapters;
  const removing = {
    retentionMs: config.retentionMs,
    pause: adapters.outside.runtime.pause,
    stopping,
    store: storage.requests,
    timings,
    auditEntries: storage.auditEntries,
    recentRequests: storage.recentRequests,
    isStreaming: adapters.isStreaming,
    log,
  };
  const steps: readonly (() => Promise<unknown>)[] = [
    createRetention(removing),
    () => adapters.removeFinished(stopping),
    () => connections.sweep(log, stopping),
    adapters.installations.sweep,
    adapters.usedStates.sweep,
    storage.scrub,
  ];
  return async () => {
    // A record that can't be read must not keep the other steps from removing anything.
    for (const step of steps)
      if (!stopping.aborted) await step().catch((err) => log.error({ err }, 'expired records not removed'));
  };
}

/** Creates the checks of keys, scopes and installations at the start. They read all that is stored, so the start does not wait for them. */
function createStartChecks({ log, stopping, adapters, slack }: AppContext): Running {
  let running: Promise<unknown> = Promise.resolve();

  async function checkKeys(): Promise<void> {
    const unopened = await countUnopened(adapters.sealed, stopping);
    if (unopened === 0) return;
    log.error(
      { event: 'secrets_unopened', unopened },
      'secrets of some workspaces cannot be opened by any key (SECRET_KEYS, or the key file): put the key back that sealed them, or connect and install these workspaces again (countermand rotate-keys names them)',
    );
  }

  return {
    start() {
      running = Promise.all([
        checkKeys().catch((err) => log.error({ err }, 'keys not checked')),
        checkScopesOfAll(adapters.installations, log, stopping).catch((err) =>
          log.error({ err }, 'scopes not checked'),
        ),
        warnOfLeftBehind(adapters, slack.installations, log, stopping).catch((err) =>
          log.error({ err }, 'workspaces without an installation not looked for'),
        ),
      ]);
    },
    async stop() {
      await running;
    },
  };
}

/**
 * Whether an installation that is in use serves a workspace, or is that of an organization.
 *
 * @throws if Slack or the storage can't be asked
 */
const isServed = async (
  { installed, servedBy }: Pick<Installations, 'installed' | 'servedBy'>,
  id: string,
): Promise<boolean> =>
  // `installed` first: `servedBy` takes SLACK_BOT_TOKEN, once it is dead, for no installation, before its uninstall is recorded.
  (await installed({ workspace: id })) !== undefined || (await servedBy(id)) !== undefined;

/**
 * Warns of connections and installations that no installation in use serves. They stay: Slack can't be asked about a token that is
 * not known any more, and its report of an uninstall is not enough to remove what another configuration may serve.
 */
export async function warnOfLeftBehind(
  { connections, installations }: Adapters,
  installed: Pick<Installations, 'installed' | 'servedBy'>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  async function* stored(): AsyncGenerator<string, void> {
    yield* connections.ids();
    // Others have only a claim.
    for await (const id of installations.ids()) if (await installations.has(id)) yield id;
  }
  const warned = new Set<string>();
  for await (const id of stored()) {
    if (stopping.aborted) return;
    if (warned.has(id) || (await isServed(installed, id))) continue;
    warned.add(id);
    log.warn(
      installedFields(id),
      'data is stored, and no installation is known that serves this: install Countermand there or, if it was removed there, run countermand disconnect and countermand purge',
    );
  }
}
