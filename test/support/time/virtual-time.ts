/** Time that passes only when nothing is left to be done in it: a run gives the same figures on any machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A write to SQLite takes a turn of the event loop: more of them in a row than anything makes in one go. */
const COMMITS = 10;

/** Lets every promise that can go on do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < COMMITS; turn++) await nextTurn();
}

type Timer = { at: number; run: () => void };

/** Returns the timers that are due first, and when. */
function nextOf(timers: Iterable<Timer>): { at: number; due: Timer[] } {
  let next = { at: Number.POSITIVE_INFINITY, due: [] as Timer[] };
  for (const timer of timers) {
    if (timer.at < next.at) next = { at: timer.at, due: [timer] };
    else if (timer.at === next.at) next.due.push(timer);
  }
  return next;
}

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
        const { at, due } = nextOf(timers);
        if (at > end) return;
        now = at;
        for (const timer of due) {
          timers.delete(timer);
          timer.run();
        }
      }
    },
  };
}
