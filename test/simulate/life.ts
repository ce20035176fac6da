/** The life of one process: from its start to its crash. What comes for it while it is frozen waits. */
import type { Timeline } from './timeline.ts';

export type Life = {
  readonly name: string;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** When it ended, epoch milliseconds; infinity: it lives. */
  endedAt(): number;
  /** Runs something in the process: at once, once it has thawed, or never. */
  enter(run: () => void): void;
  freeze(ms: number): void;
  thaw(): void;
  /** Nothing of it goes on, ever. */
  end(): void;
};

export function createLife(name: string, timeline: Timeline): Life {
  let endedAt = Number.POSITIVE_INFINITY;
  let frozenUntil = 0;
  const waiting: (() => void)[] = [];
  const isAlive = () => endedAt === Number.POSITIVE_INFINITY;

  function thaw(): void {
    if (timeline.now() < frozenUntil) return;
    frozenUntil = 0;
    // One at a time: what one of them sets off happens before the next one.
    const next = waiting.shift();
    if (!next) return;
    if (waiting.length > 0) timeline.after(0, thaw);
    if (isAlive()) next();
  }

  return {
    name,
    isAlive,
    endedAt: () => endedAt,
    isFrozen: () => isAlive() && (frozenUntil > timeline.now() || waiting.length > 0),
    enter(run) {
      if (!isAlive()) return;
      if (frozenUntil > timeline.now() || waiting.length > 0) waiting.push(run);
      else run();
    },
    freeze(ms) {
      if (!isAlive()) return;
      frozenUntil = Math.max(frozenUntil, timeline.now() + ms);
      timeline.after(frozenUntil - timeline.now(), thaw);
    },
    thaw() {
      frozenUntil = 0;
      timeline.after(0, thaw);
    },
    end() {
      endedAt = Math.min(endedAt, timeline.now());
      waiting.length = 0;
    },
  };
}
