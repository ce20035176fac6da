/** Runs what records owe, in this process: at once when triggered, on time when due, and by a sweep for what was lost. */
import PQueue from 'p-queue';
import type { Log, Trigger } from '../requests/ports.ts';
import type { RecordRef } from '../requests/record-store.ts';

export type RunnerDeps = {
  /** Does what the request owes; in how many milliseconds it owes something again. */
  advance: (ref: RecordRef) => Promise<number | undefined>;
  due: (limit: number) => Promise<RecordRef[]>;
  /** Puts off a request that can't be advanced, so that others don't wait behind it. */
  postpone: (ref: RecordRef, ms: number) => Promise<void>;
  log: Log;
  options?: Partial<RunnerOptions>;
};

export type RunnerOptions = {
  sweepMs: number;
  concurrency: number;
  /** How long a stop waits for what is under way. */
  stopMs: number;
};

export type Runner = { trigger: Trigger; start(): void; stop(): Promise<void> };

const DEFAULTS: RunnerOptions = { sweepMs: 5_000, concurrency: 16, stopMs: 25_000 };

const SWEEP_LIMIT = 200;
const POSTPONED_MS = 60_000;
/** What is due later than this is left to the sweep: no timer is kept for it. */
const LONGEST_TIMER_MS = 60_000;

export function createRunner({ advance, due, postpone, log, options }: RunnerDeps): Runner {
  const { sweepMs, concurrency, stopMs } = { ...DEFAULTS, ...options };
  const queue = new PQueue({ concurrency });
  /** Requests that wait or run, and whether they were triggered again meanwhile. */
  const active = new Map<string, { again: boolean }>();
  const timers = new Map<string, NodeJS.Timeout>();
  let sweeping: NodeJS.Timeout | undefined;
  let stopped = false;

  const trigger: Trigger = (ref) => {
    if (stopped) return;
    const key = `${ref.workspace}/${ref.id}`;
    const running = active.get(key);
    if (running) {
      running.again = true;
      return;
    }
    active.set(key, { again: false });
    void queue.add(() => run(key, { workspace: ref.workspace, id: ref.id }));
  };

  async function run(key: string, ref: RecordRef): Promise<void> {
    const dueInMs = await tryAdvance(ref);
    const again = active.get(key)?.again;
    active.delete(key);
    if (again) trigger(ref);
    else if (dueInMs !== undefined && dueInMs <= LONGEST_TIMER_MS) wake(key, ref, dueInMs);
  }

  async function tryAdvance(ref: RecordRef): Promise<number | undefined> {
    try {
      return await advance(ref);
    } catch (error) {
      log.error({ request: ref.id, workspace: ref.workspace, err: error }, 'request not advanced');
      await postpone(ref, POSTPONED_MS).catch(() => {});
      return undefined;
    }
  }

  function wake(key: string, ref: RecordRef, inMs: number): void {
    clearTimeout(timers.get(key));
    const timer = setTimeout(() => {
      timers.delete(key);
      trigger(ref);
    }, inMs);
    if (!stopped) timers.set(key, timer.unref());
    else clearTimeout(timer);
  }

  async function sweep(): Promise<void> {
    try {
      for (const ref of await due(SWEEP_LIMIT)) trigger(ref);
    } catch (error) {
      log.error({ err: error }, 'sweep failed');
    }
    if (!stopped) sweeping = setTimeout(sweep, sweepMs).unref();
  }

  return {
    trigger,
    start: () => void sweep(),
    async stop() {
      stopped = true;
      clearTimeout(sweeping);
      for (const timer of timers.values()) clearTimeout(timer);
      const patience = new Promise((resolve) => setTimeout(resolve, stopMs).unref());
      await Promise.race([queue.onIdle(), patience]);
    },
  };
}
