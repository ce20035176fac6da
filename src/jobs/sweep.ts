/** Finds due records that nothing has woken up: after a crash, a lost job, or a wait too long for a timer. */
import type { RunnerDeps } from './runner.ts';

const LIMIT = 200;
/** The interval after a full page: more is due, and a pace of one page each interval would be slower than Slack permits. */
const MORE_MS = 1_000;

export type Sweep = { start(): void; stop(): void };

/** Wakes the runner for due records, at the start and then periodically, despite faults of the storage. */
export function createSweep(
  { due, runtime, log }: Pick<RunnerDeps, 'due' | 'runtime' | 'log'>,
  { everyMs, wake }: { everyMs: number; wake: (ref: { workspace: string; id: string }) => void },
): Sweep {
  let cancel = () => {};
  let stopped = false;

  async function sweep(): Promise<void> {
    const found = await find();
    for (const ref of found) wake(ref);
    const nextMs = found.length < LIMIT ? everyMs : Math.min(everyMs, MORE_MS);
    if (!stopped) cancel = runtime.after(nextMs, () => void sweep());
  }

  async function find() {
    try {
      return await due(LIMIT);
    } catch (error) {
      log.error({ err: error }, 'sweep failed');
      return [];
    }
  }

  return {
    start: () => void sweep(),
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
