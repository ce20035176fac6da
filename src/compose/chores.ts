/** Joins what is done beside the work on records: what is too old is removed, and the keys are checked. */
import { type Chore, type ChoreTimes, createChore } from '../jobs/chore.ts';
import { createRetention } from '../requests/use-cases/retention.ts';
import { countUnopened } from '../workspaces/count-unopened.ts';
import type { Common } from './context.ts';

/** What is started and stopped with the bot. */
export type Running = Pick<Chore, 'start' | 'stop'>;

/** @param stopping aborted at shutdown */
export function createChores(common: Common, stopping: AbortSignal, times: ChoreTimes): Running[] {
  return [createRetentionChore(common, stopping, times), createKeyCheck(common, stopping)];
}

function createRetentionChore(
  { config, log, parts, store, timings, slack }: Common,
  stopping: AbortSignal,
  times: ChoreTimes,
): Chore {
  const { retentionMs } = config;
  async function* workspaces() {
    yield* parts.connections.ids();
    yield* slack.installations.workspaces();
  }
  const { runtime } = parts.outside;
  const { pause } = runtime;
  const removeEnded = createRetention({ store, timings, retentionMs, workspaces, pause, stopping, log });
  return createChore({ name: 'retention', locks: parts.storage.locks, runtime, log, times }, async () => {
    await removeEnded();
    if (stopping.aborted) return;
    await parts.removeSpent(log, stopping);
    if (stopping.aborted) return;
    await parts.storage.scrub();
  });
}

/** Runs once, beside the work: the start does not wait until all secrets have been opened. */
function createKeyCheck({ log, parts }: Common, stopping: AbortSignal): Running {
  let running = Promise.resolve();

  async function check(): Promise<void> {
    const unopened = await countUnopened(parts.sealed, stopping);
    if (unopened === 0) return;
    log.error(
      { unopened },
      'secrets of some workspaces can not be opened by any of SECRET_KEYS: put the key back that sealed them, or connect and install these workspaces again (countermand rotate-keys names them)',
    );
  }

  return {
    start() {
      running = check().catch((err) => log.error({ err }, 'it could not be checked whether the keys fit'));
    },
    stop: () => running,
  };
}
