/**
 * Runs conflicting tasks of this process one after another: `createInTurn` by name, `createEventsInTurn` by order, with bounds on
 * the events under way. `sharingNext` runs a task once for all callers that come during an earlier run.
 */
import PQueue from 'p-queue';

/** Runs the tasks of each name one after another. */
export function createInTurn() {
  const queues = new Map<string, PQueue>();
  return {
    /** Returns the number of tasks of this name that wait. */
    waiting: (name: string): number => queues.get(name)?.size ?? 0,
    async run<T>(name: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.getOrInsertComputed(name, () => new PQueue({ concurrency: 1 }));
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

/** The most events of one order that wait for another one of that order. */
const MOST_OF_AN_ORDER = 100;

/**
 * The most events of one workspace under way. Each holds a connection, and `LIMITS` (http/connections.ts) has room for those of
 * several workspaces.
 */
const MOST_OF_A_WORKSPACE = 200;

/** `subject`: the order, as in `subjectOf`. */
type OrderRef = { workspace: string; subject: string };

/**
 * Applies the events of one order one after another. How many are under way is bounded, wherever they wait, so that one order or
 * one workspace costs others neither memory nor time.
 */
export function createEventsInTurn() {
  const orders = createInTurn();
  const underWay = new Map<string, number>();
  const count = (workspace: string, by: number) => {
    const total = (underWay.get(workspace) ?? 0) + by;
    if (total > 0) underWay.set(workspace, total);
    else underWay.delete(workspace);
  };
  return {
    /** @returns `too_many` if too many events are under way already: then `apply` never runs */
    async run<T>({ workspace, subject }: OrderRef, apply: () => Promise<T>): Promise<T | 'too_many'> {
      const order = JSON.stringify([workspace, subject]);
      const ofWorkspace = underWay.get(workspace) ?? 0;
      if (orders.waiting(order) >= MOST_OF_AN_ORDER || ofWorkspace >= MOST_OF_A_WORKSPACE) return 'too_many';
      count(workspace, 1);
      try {
        return await orders.run(order, apply);
      } finally {
        count(workspace, -1);
      }
    },
  };
}
