/** Runs pending effects in this process: at once on a wake-up, on time when due, and by a sweep after lost wake-ups. */
import type { Wake } from '../outbox/ports.ts';
import type { RecordRef } from '../outbox/record-store.ts';
import { createFairQueue } from './fair-queue.ts';
import {
  type Advance,
  createSweep,
  DEFAULTS,
  keyOf,
  LONGEST_TIMER_MS,
  POSTPONED_MS,
  type Runner,
  type RunnerDeps,
} from './runner.ts';

export function createRunner(deps: RunnerDeps): Runner {
  const { runtime, due, postpone, log, options } = deps;
  const { sweepMs, concurrency, share, stopMs } = { ...DEFAULTS, ...options };
  const queue = createFairQueue({ concurrency, share });
  /** Requests that wait or run, and whether they were woken up again meanwhile. */
  const active = new Map<string, { again: boolean }>();
  const timers = new Map<string, () => void>();
  let advance: Advance | undefined;

  const wake: Wake = (ref) => {
    if (!advance) return;
    const key = keyOf(ref);
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
      log.error({ ...deps.about(ref), err: error }, 'not advanced, will retry');
      await postpone(ref, POSTPONED_MS).catch(() => {});
      return undefined;
    }
  }

  function wakeLater(key: string, ref: RecordRef, inMs: number): void {
    timers.get(key)?.();
    if (!advance) return;
    const cancel = runtime.after(inMs, () => {
      timers.delete(key);
      wake(ref);
    });
    timers.set(key, cancel);
  }

  const sweep = createSweep({ due, runtime, log }, { everyMs: sweepMs, wake });
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
