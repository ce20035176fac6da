/** The one clock of a play, and all that is to happen on it, in order. Nothing here ever really waits. */

type Entry = { at: number; n: number; run: (() => void) | undefined; putOff: () => number };

export type Timeline = {
  /** Epoch milliseconds: the true time, which no clock of the play need show. */
  now(): number;
  /**
   * @param putOff asked when the time has come: by how many milliseconds it is put off; 0: it happens now
   * @returns cancels it
   */
  after(ms: number, run: () => void, putOff?: () => number): () => void;
  /** Lets the next thing happen, and all that follows from it without waiting. @returns false where nothing is left */
  step(): boolean;
};

/** @param start epoch milliseconds */
export function createTimeline(start: number): Timeline {
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
    after(ms, run, putOff = () => 0) {
      const entry: Entry = { at: now + Math.max(0, Math.ceil(ms)), n: ++count, run, putOff };
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
      const ms = next.putOff();
      if (ms > 0) {
        push(Object.assign(next, { at: now + ms, n: ++count }));
        return true;
      }
      next.run?.();
      settle();
      return true;
    },
  };
}

/**
 * Lets all microtasks run, without a turn of the event loop, which takes ten times as long. Node keeps this function for old
 * code: it runs what process.nextTick and promises have put off (lib/internal/bootstrap/node.js).
 */
const settle = (process as unknown as { _tickCallback(): void })._tickCallback;
