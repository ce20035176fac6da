/**
 * Runs pending effects: at once on a wake-up, on time when due, and by a sweep after lost wake-ups. What is pending stands in the
 * record alone, so a lost wake-up delays an effect and loses nothing.
 */
import type { Log, Wake } from '../outbox/ports.ts';
import { nameOfRecord, type RecordRef } from '../outbox/record-store.ts';
import type { Runtime } from '../requests/ports/ports.ts';

export type RunnerDeps = {
  runtime: Pick<Runtime, 'after'>;
  due: (limit: number) => Promise<RecordRef[]>;
  /** Postpones a record that can't be advanced, so that others don't wait behind it. */
  postpone: (ref: RecordRef, ms: number) => Promise<void>;
  /** The log fields of a record. */
  about: (ref: RecordRef) => object;
  log: Log;
  options?: Partial<RunnerOptions>;
};

/** The times (milliseconds) and limits of a runner. Only tests change them. */
export const DEFAULTS = {
  /** The interval between sweeps. */
  sweepMs: 5_000,
  /** The number of records that are advanced concurrently. */
  concurrency: 128,
  /**
   * The number of these that one workspace may have: less than a tenth, so that a workspace with slow calls delays the others by
   * less than a tenth, even if all places are taken (test/jobs/fairness.test.ts).
   */
  share: 10,
  /** With several replicas: the number of jobs that a replica takes at once. More than it runs, so that workspaces take turns. */
  taken: 512,
  /** The time that a stop waits for running effects. */
  stopMs: 25_000,
  /** With several replicas: the time after which the jobs of a silent replica go to others. */
  lockMs: 30_000,
};
export type RunnerOptions = typeof DEFAULTS;

/** Performs the due effects of a record. @returns milliseconds until the next effect is due; undefined: there is none */
export type Advance = (ref: RecordRef) => Promise<number | undefined>;

/**
 * Wakes records, and advances them once it is started. It exists before `advance` does, since what advances a record of one
 * type wakes records of another. A record that is woken before the start is due: the first sweep finds it.
 */
export type Runner = { wake: Wake; start(advance: Advance): void; stop(): Promise<void> };

/** The time for which a record is postponed that could not be advanced. */
const POSTPONED_MS = 60_000;
/** Later due times are left to the sweep: no timer is kept for them. */
export const LONGEST_TIMER_MS = 60_000;

export function createRunner(deps: RunnerDeps): Runner {
  const { runtime, options } = deps;
  const { sweepMs, concurrency, share, stopMs } = { ...DEFAULTS, ...options };
  const queue = createFairQueue({ concurrency, share });
  /** The records that wait or run. `again`: the record was woken meanwhile. */
  const active = new Map<string, { again: boolean }>();
  const timers = new Map<string, () => void>();
  let advance: Advance | undefined;

  const wake: Wake = (ref) => {
    if (!advance) return;
    const key = nameOfRecord(ref);
    const running = active.get(key);
    if (running) {
      running.again = true;
      return;
    }
    active.set(key, { again: false });
    const { workspace, id } = ref;
    void queue.run(workspace, () => run(key, { workspace, id }));
  };

  async function run(key: string, ref: RecordRef): Promise<void> {
    const dueInMs = await tryAdvance(ref);
    const again = active.get(key)?.again;
    active.delete(key);
    if (again) wake(ref);
    else if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS) wakeLater(key, ref, dueInMs);
  }

  async function tryAdvance(ref: RecordRef): Promise<number | undefined> {
    try {
      return await advance?.(ref);
    } catch (error) {
      await postponeFailed(deps, ref, error);
      return undefined;
    }
  }

  function wakeLater(key: string, ref: RecordRef, inMs: number): void {
    timers.get(key)?.();
    const cancel = runtime.after(inMs, () => {
      timers.delete(key);
      wake(ref);
    });
    timers.set(key, cancel);
  }

  const sweep = createSweep(deps, { everyMs: sweepMs, wake });
  return {
    wake,
    start(given) {
      advance = given;
      sweep.start();
    },
    async stop() {
      advance = undefined;
      sweep.stop();
      for (const cancel of timers.values()) cancel();
      const timeout = new Promise<void>((resolve) => runtime.after(stopMs, resolve));
      await Promise.race([queue.idle(), timeout]);
    },
  };
}

export function logFailed({ log, about }: RunnerDeps, ref: RecordRef, error: unknown): void {
  log.error({ ...about(ref), err: error }, 'not advanced, will retry');
}

/** Leaves a record that could not be advanced to a later sweep. It never throws. */
export async function postponeFailed(deps: RunnerDeps, ref: RecordRef, error: unknown): Promise<void> {
  logFailed(deps, ref, error);
  // If this fails, too, the record stays due, and the next sweep finds it.
  await deps.postpone(ref, POSTPONED_MS).catch(() => {});
}

/** The number of records that a sweep finds at most. */
const LIMIT = 200;
/** The interval after a full sweep: more records are due, and a page at each usual interval would use less than Slack permits. */
const MORE_MS = 1_000;

/**
 * Wakes due records, at the start and then periodically, despite faults of the storage: after a crash, a lost job, or a wait
 * too long for a timer nothing else wakes them.
 */
export function createSweep(
  { due, runtime, log }: Pick<RunnerDeps, 'due' | 'runtime' | 'log'>,
  { everyMs, wake }: { everyMs: number; wake: Wake },
): { start(): void; stop(): void } {
  let cancel = () => {};
  let stopped = false;

  async function sweep(): Promise<void> {
    const found = await due(LIMIT).catch((error): RecordRef[] => {
      log.error({ err: error }, 'sweep failed');
      return [];
    });
    for (const ref of found) wake(ref);
    const nextMs = found.length < LIMIT ? everyMs : Math.min(everyMs, MORE_MS);
    if (!stopped) cancel = runtime.after(nextMs, () => void sweep());
  }

  return {
    start: () => void sweep(),
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}

/**
 * Runs a bounded number of tasks concurrently, with the workspaces in turn: however many or slow one workspace's tasks are, another
 * workspace's task is next (promise 6).
 *
 * @param share the number of concurrent tasks of one workspace; the rest of `concurrency` stays free for others
 */
export function createFairQueue({ concurrency, share }: { concurrency: number; share: number }) {
  /** Functions that start the waiting tasks, by workspace. The Map keeps the order: one that had a turn moves to the end. */
  const waiting = new Map<string, (() => void)[]>();
  /** The number of running tasks, by workspace and in all. */
  const running = new Map<string, number>();
  let total = 0;
  let becomeIdle = () => {};

  function count(workspace: string, by: 1 | -1): void {
    total += by;
    const left = (running.get(workspace) ?? 0) + by;
    if (left > 0) running.set(workspace, left);
    else running.delete(workspace);
  }

  /** Starts one task, if one may run. One is enough, because places become free one at a time. */
  function startNext(): void {
    if (total === concurrency) return;
    for (const [workspace, tasks] of waiting) {
      if (running.get(workspace) === share) continue;
      const start = tasks.shift();
      waiting.delete(workspace);
      if (tasks.length > 0) waiting.set(workspace, tasks);
      count(workspace, 1);
      start?.();
      return;
    }
  }

  return {
    async run(workspace: string, task: () => Promise<void>): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.getOrInsertComputed(workspace, () => []).push(resolve);
      startNext();
      await promise;
      try {
        await task();
      } finally {
        count(workspace, -1);
        startNext();
        if (total === 0) becomeIdle();
      }
    },
    waiting: (workspace: string): number => waiting.get(workspace)?.length ?? 0,
    /** Resolves when nothing runs or waits. */
    async idle(): Promise<void> {
      if (total === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      becomeIdle = resolve;
      await promise;
    },
  };
}
