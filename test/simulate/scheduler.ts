/** A discrete-event scheduler: one simulated clock, and a queue of events in order of time. It never waits in real time. */

type Entry = { at: number; n: number; run: (() => void) | undefined; postponeMs: () => number };

export type Scheduler = {
  /** The true time, epoch milliseconds. The clocks of replicas, Slack and the service are skewed against it. */
  now(): number;
  /**
   * @param postponeMs called when the event is due: postpones it by so many milliseconds; 0 runs it
   * @returns cancels the event
   */
  after(ms: number, run: () => void, postponeMs?: () => number): () => void;
  /** Runs the next event, and all microtasks that it leads to. @returns false if the queue is empty */
  step(): boolean;
};

/** @param start epoch milliseconds */
export function createScheduler(start: number): Scheduler {
  const heap: Entry[] = [];
  let now = start;
  let count = 0;

  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.n < b.n);

  function push(entry: Entry): void {
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right] as Entry, heap[left] as Entry) ? right : left;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  return {
    now: () => now,
    after(ms, run, postponeMs = () => 0) {
      const entry: Entry = { at: now + Math.max(0, Math.ceil(ms)), n: ++count, run, postponeMs };
      push(entry);
      return () => {
        entry.run = undefined;
      };
    },
    step() {
      let next = pop();
      while (next && !next.run) next = pop();
      if (!next) return false;
      now = next.at;
      const ms = next.postponeMs();
      if (ms > 0) {
        push(Object.assign(next, { at: now + ms, n: ++count }));
        return true;
      }
      next.run?.();
      runMicrotasks();
      return true;
    },
  };
}

/**
 * Runs all microtasks without a turn of the event loop, which takes ten times as long. Node keeps this function for old code:
 * it drains the queues of process.nextTick and of promises (lib/internal/bootstrap/node.js).
 */
const runMicrotasks = (process as unknown as { _tickCallback(): void })._tickCallback;
