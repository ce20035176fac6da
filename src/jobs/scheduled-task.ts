/** Runs a task periodically, on one replica at a time. Skipping a run does no harm. */
import { z } from 'zod';
import type { Log } from '../outbox/ports.ts';
import { recordChanges } from '../outbox/record-changes.ts';
import { byId, NO_WORKSPACE, NOT_STORED, type RecordStore } from '../outbox/record-store.ts';
import type { Runtime } from '../requests/ports/ports.ts';

/** `firstMs`: the wait after a start, because other work is more urgent then. `claimMs`: longer than the task ever takes. */
export type TaskTimes = { firstMs: number; everyMs: number; claimMs: number };

export const HOURLY: TaskTimes = { firstMs: 60_000, everyMs: 60 * 60_000, claimMs: 30 * 60_000 };
export const DAILY: TaskTimes = { ...HOURLY, firstMs: 30 * 60_000, everyMs: 24 * 60 * 60_000 };

/** For work that people may be waiting for. */
export const OFTEN: TaskTimes = { firstMs: 10_000, everyMs: 30_000, claimMs: 5 * 60_000 };

export const TaskRecord = z.object({
  workspace: z.literal(NO_WORKSPACE),
  id: z.string(),
  version: z.number(),
  /** `owner`: the replica that runs the task. `expiresAt`: by the store's clock. */
  claim: z.object({ owner: z.string(), expiresAt: z.number() }).optional(),
});
export type TaskRecord = z.infer<typeof TaskRecord>;

type TaskDeps = {
  name: string;
  tasks: RecordStore<TaskRecord>;
  runtime: Pick<Runtime, 'sleep' | 'random' | 'uuid'>;
  log: Log;
  times: TaskTimes;
  /** Whether the task runs even if its claim can't be written, for this reason. Undefined: it never does. */
  runsDespite?: ((reason: unknown) => boolean) | undefined;
};

/** Creates a task. @param work what it does; after a failure it runs again at the next regular time */
export function createScheduledTask(deps: TaskDeps, work: () => Promise<void>) {
  const { name, runtime, log, times } = deps;
  const stopped = new AbortController();
  let running = Promise.resolve();

  async function once(): Promise<void> {
    try {
      if (!(await runClaimed(deps, work)))
        log.debug({ task: name }, 'task skipped: another replica has claimed it');
    } catch (err) {
      log.error({ task: name, err }, 'scheduled task failed');
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
    start(): void {
      running = run();
    },
    /** Begins no further run, and waits for a run under way, which has a signal of its own to end early. */
    async stop(): Promise<void> {
      stopped.abort();
      await running;
    },
  };
}

/**
 * Runs a task under a claim, or without one (`runsDespite`).
 *
 * @returns whether it ran; otherwise another replica has claimed it
 * @throws what the task throws; also if the storage is unavailable
 */
async function runClaimed(
  { name, tasks, runtime, times, runsDespite }: Omit<TaskDeps, 'log'>,
  work: () => Promise<void>,
): Promise<boolean> {
  const held = await claimsOf(tasks)
    .claim([name], { owner: runtime.uuid() }, times.claimMs)
    .catch((reason) => {
      if (runsDespite?.(reason)) return UNCLAIMED;
      throw reason;
    });
  if (!held) return false;
  try {
    await work();
  } finally {
    // A claim that can't be removed expires by itself.
    await held.release().catch(() => {});
  }
  return true;
}

const UNCLAIMED = { release: async () => {} };

/** The record of a task is stored only while the task runs. */
const claimsOf = (tasks: RecordStore<TaskRecord>) =>
  recordChanges(
    tasks,
    (id): TaskRecord => ({ workspace: NO_WORKSPACE, id, version: NOT_STORED }),
    (task) => (task.claim ? byId(task) : undefined),
  );
