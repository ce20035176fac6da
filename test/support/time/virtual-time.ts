/** A clock that advances only once nothing else is left to do, so that a run gives the same figures on any machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** More turns of the event loop than any code under test needs in a row; a write to SQLite takes one. */
const TURNS = 10;

/** Lets pending promises resolve. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
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
    /** Whole milliseconds, as a clock shows them. */
    now: () => Math.floor(now),
    /** With fractions of a millisecond. */
    exact: () => now,
    after,
    sleep: (ms: number) => new Promise<void>((resolve) => after(ms, resolve)),
    /** Advances the clock to `end`, one due time after the other. */
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
