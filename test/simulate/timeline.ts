/** The one clock of a play, and all that is to happen on it, in order. Nothing here ever really waits. */

type Entry = { at: number; n: number; run: (() => void) | undefined };

export type Timeline = {
  /** Epoch milliseconds: the true time, which no clock of the play need show. */
  now(): number;
  /** @returns cancels it */
  after(ms: number, run: () => void): () => void;
  /** How many things are still to happen. */
  size(): number;
  /** Lets the next thing happen, and all that follows from it without waiting. @returns false where nothing is left */
  step(): Promise<boolean>;
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
    size: () => heap.length,
    after(ms, run) {
      count += 1;
      const entry: Entry = { at: now + Math.max(0, Math.ceil(ms)), n: count, run };
      push(entry);
      return () => {
        entry.run = undefined;
      };
    },
    async step() {
      let next = pop();
      while (next && !next.run) next = pop();
      if (!next) return false;
      now = next.at;
      next.run?.();
      await settled();
      return true;
    },
  };
}

/** After one turn of the event loop no microtask is left. Nothing of a play waits for anything but the timeline. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
