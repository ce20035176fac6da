/** Finds what is due and was triggered by nobody: after a crash, a lost job, or a wait that was too long for a timer. */
import type { RunnerDeps } from './runner.ts';

const LIMIT = 200;

export type Sweep = { start(): void; stop(): void };

/** Triggers what is due, at its start and then again and again, through faults of the storage. */
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
