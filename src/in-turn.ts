/**
 * Runs conflicting tasks of this process one after another; for the events of an order, with a bound on how many wait; and
 * what many callers need (`sharingNext`) once for all that come during a run.
 */
import PQueue from 'p-queue';

/** Runs the tasks of each name one after another. */
export function createInTurn() {
  const queues = new Map<string, PQueue>();
  return {
    /** Returns whether a task of this name would have to wait, and how many do. */
    load(name: string): { isBusy: boolean; waiting: number } {
      const queue = queues.get(name);
      return { isBusy: queue !== undefined, waiting: queue?.size ?? 0 };
    },
    async run<T>(name: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.get(name) ?? new PQueue({ concurrency: 1 });
      queues.set(name, queue);
      try {
        return await queue.add(task);
      } finally {
        if (queue.pending === 0 && queue.size === 0) queues.delete(name);
      }
    },
  };
}

/**
 * Runs a task once for all callers that come while an earlier run is under way.
 *
 * @returns the function to call; its promise settles with the first run that begins after the call
 */
export function sharingNext(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      return run();
    });
    last = next.catch(() => {});
    return next;
  };
}

const MOST_OF_AN_ORDER = 100;
const MOST_OF_A_WORKSPACE = 1_000;

/** `subject`: the order, as in `subjectOf`. */
type OrderRef = { workspace: string; subject: string };

/**
 * Applies the events of one order one after another. How many may wait is bounded, so that one order or one workspace costs
 * others neither memory nor time.
 */
export function createEventsInTurn() {
  const orders = createInTurn();
  const waiting = new Map<string, number>();
  const wait = (workspace: string, by: number) => {
    const count = (waiting.get(workspace) ?? 0) + by;
    if (count > 0) waiting.set(workspace, count);
    else waiting.delete(workspace);
  };
  return {
    /** @returns `too_many` if too many events wait already: then `apply` never runs */
    async run<T>({ workspace, subject }: OrderRef, apply: () => Promise<T>): Promise<T | 'too_many'> {
      const order = JSON.stringify([workspace, subject]);
      const { isBusy, waiting: ofOrder } = orders.load(order);
      if (!isBusy) return orders.run(order, apply);
      const ofWorkspace = waiting.get(workspace) ?? 0;
      if (ofOrder >= MOST_OF_AN_ORDER || ofWorkspace >= MOST_OF_A_WORKSPACE) return 'too_many';
      wait(workspace, 1);
      return orders.run(order, () => {
        wait(workspace, -1);
        return apply();
      });
    },
  };
}
