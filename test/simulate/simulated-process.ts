/** One process of a replica, from its start to its crash. Callbacks that are due while it is frozen wait in a queue. */
import type { Scheduler } from './scheduler.ts';

export type SimulatedProcess = {
  readonly name: string;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** The time of its crash, epoch milliseconds; infinity while it is alive. */
  endedAt(): number;
  /** Runs a callback in the process: at once, after the freeze, or never if the process has crashed. */
  enter(run: () => void): void;
  freeze(ms: number): void;
  thaw(): void;
  /** Crashes the process: nothing runs in it any more. */
  end(): void;
};

export function createSimulatedProcess(name: string, scheduler: Scheduler): SimulatedProcess {
  let endedAt = Number.POSITIVE_INFINITY;
  let frozenUntil = 0;
  const waiting: (() => void)[] = [];
  const isAlive = () => endedAt === Number.POSITIVE_INFINITY;

  function thaw(): void {
    if (scheduler.now() < frozenUntil) return;
    frozenUntil = 0;
    // One at a time, so that the microtasks of one run before the next.
    const next = waiting.shift();
    if (!next) return;
    if (waiting.length > 0) scheduler.after(0, thaw);
    if (isAlive()) next();
  }

  return {
    name,
    isAlive,
    endedAt: () => endedAt,
    isFrozen: () => isAlive() && (frozenUntil > scheduler.now() || waiting.length > 0),
    enter(run) {
      if (!isAlive()) return;
      if (frozenUntil > scheduler.now() || waiting.length > 0) waiting.push(run);
      else run();
    },
    freeze(ms) {
      if (!isAlive()) return;
      frozenUntil = Math.max(frozenUntil, scheduler.now() + ms);
      scheduler.after(frozenUntil - scheduler.now(), thaw);
    },
    thaw() {
      frozenUntil = 0;
      scheduler.after(0, thaw);
    },
    end() {
      endedAt = Math.min(endedAt, scheduler.now());
      waiting.length = 0;
    },
  };
}
