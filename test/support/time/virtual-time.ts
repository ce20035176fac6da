/** Time that passes only when nothing is left to be done in it: a run gives the same figures on any machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A write to SQLite takes a turn of the event loop: more of them in a row than anything makes in one go. */
const COMMITS = 10;

/** Lets every promise that can go on do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < COMMITS; turn++) await nextTurn();
}

type Timer = { at: number; run: () => void };

export function virtualTime() {
  let now = 0;
  const timers = new Set<Timer>();

  const after = (ms: number, run: () => void) => {
    const timer = { at: now + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };

  return {
    /** Whole milliseconds, as clocks tell them. */
    now: () => Math.floor(now),
    /** With fractions of a millisecond. */
    exact: () => now,
    after,
    sleep: (ms: number) => new Promise<void>((resolve) => after(ms, resolve)),
    /** Lets time pass until then. All promises that can be kept are kept before it goes on. */
    async passUntil(end: number): Promise<void> {
      for (;;) {
        await settle();
        let next = Number.POSITIVE_INFINITY;
        for (const { at } of timers) next = Math.min(next, at);
        if (next > end) return;
        now = next;
        for (const timer of [...timers].filter(({ at }) => at === next)) {
          timers.delete(timer);
          timer.run();
        }
      }
    },
  };
}
