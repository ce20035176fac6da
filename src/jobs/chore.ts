/** What is done now and then, by one replica at a time, and does no harm where it is left out. */
import { LockedError, type Locks } from '../requests/ports/locks.ts';
import type { Log } from '../requests/ports/ports.ts';
import type { Runtime } from '../requests/ports/runtime.ts';

/** Milliseconds. `firstMs`: after a start, when there is more urgent work. `heldMs`: longer than it ever takes. */
export type ChoreTimes = { firstMs: number; everyMs: number; heldMs: number };

export const HOURLY: ChoreTimes = { firstMs: 60_000, everyMs: 60 * 60_000, heldMs: 30 * 60_000 };

export type Chore = {
  start(): void;
  /** Waits for what is under way, which is told to stop by a signal of its own. */
  stop(): Promise<void>;
};

export type ChoreDeps = {
  name: string;
  locks: Locks;
  runtime: Pick<Runtime, 'sleep' | 'random'>;
  log: Log;
  times: ChoreTimes;
};

/** @param work one that fails is tried again the next time */
export function createChore(
  { name, locks, runtime, log, times }: ChoreDeps,
  work: () => Promise<void>,
): Chore {
  const stopped = new AbortController();
  let running = Promise.resolve();

  async function once(): Promise<void> {
    try {
      await locks.hold(name, { heldMs: times.heldMs, waitMs: 0 }, work);
    } catch (err) {
      if (err instanceof LockedError) log.debug({ chore: name }, 'another replica is at it');
      else log.error({ chore: name, err }, 'a chore was not done');
    }
  }

  /** Replicas that were started together must not come together for ever. */
  const spread = (ms: number): number => ms * (0.9 + runtime.random() / 5);

  async function run(): Promise<void> {
    for (let ms = times.firstMs; ; ms = times.everyMs) {
      const woken = await runtime.sleep(spread(ms), stopped.signal).then(
        () => true,
        () => false,
      );
      if (!woken) return;
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
