/** Finds due records that nothing has woken up: after a crash, a lost job, or a wait too long for a timer. */
import type { RunnerDeps } from './runner.ts';

const LIMIT = 200;

export type Sweep = { start(): void; stop(): void };

/** Wakes the runner for due records, at the start and then periodically, despite faults of the storage. */
export function createSweep(
  { due, runtime, log }: Pick<RunnerDeps, 'due' | 'runtime' | 'log'>,
  { everyMs, wake }: { everyMs: number; wake: (ref: { workspace: string; id: string }) => void },
): Sweep {
  let cancel = () => {};
  let stopped = false;

  async function sweep(): Promise<void> {
    try {
      for (const ref of await due(LIMIT)) wake(ref);
    } catch (error) {
      log.error({ err: error }, 'sweep failed');
    }
    if (!stopped) cancel = runtime.after(everyMs, sweep);
  }

  return {
    start: () => void sweep(),
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
