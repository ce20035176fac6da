/** Runs a task periodically, on one replica at a time. Skipping a run does no harm. */

import type { Log } from '../outbox/ports.ts';
import { LockedError, type Locks } from '../requests/ports/locks.ts';
import type { Runtime } from '../requests/ports/runtime.ts';

/**
 * Milliseconds. `firstMs`: the wait after a start, which has more urgent work. `lockMs`: longer than the task ever
 * takes.
 */
export type TaskTimes = { firstMs: number; everyMs: number; lockMs: number };

export const HOURLY: TaskTimes = { firstMs: 60_000, everyMs: 60 * 60_000, lockMs: 30 * 60_000 };
export const DAILY: TaskTimes = { ...HOURLY, firstMs: 30 * 60_000, everyMs: 24 * 60 * 60_000 };

/** For work that people may be waiting for. */
export const OFTEN: TaskTimes = { firstMs: 10_000, everyMs: 30_000, lockMs: 5 * 60_000 };

export type ScheduledTask = {
  start(): void;
  /** Waits for the running task, which its own signal stops. */
  stop(): Promise<void>;
};

export type TaskDeps = {
  name: string;
  locks: Locks;
  runtime: Pick<Runtime, 'sleep' | 'random'>;
  log: Log;
  times: TaskTimes;
};

/** @param work the task; a failed run is repeated at the next time */
export function createScheduledTask(
  { name, locks, runtime, log, times }: TaskDeps,
  work: () => Promise<void>,
): ScheduledTask {
  const stopped = new AbortController();
  let running = Promise.resolve();

  async function once(): Promise<void> {
    try {
      await locks.withLock(name, { ttlMs: times.lockMs, timeoutMs: 0 }, work);
    } catch (err) {
      if (err instanceof LockedError) log.debug({ task: name }, 'task skipped: another replica runs it');
      else log.error({ task: name, err }, 'scheduled task failed');
    }
  }

  /** Spreads the runs of replicas that were started together. */
  const spread = (ms: number): number => ms * (0.9 + runtime.random() / 5);

  async function run(): Promise<void> {
    for (let ms = times.firstMs; ; ms = times.everyMs) {
      const isDue = await runtime.sleep(spread(ms), stopped.signal).then(
        () => true,
        () => false,
      );
      if (!isDue) return;
      await once();
    }
  }

  return {
    start: () => {
      running = run();
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
