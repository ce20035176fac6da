/** Runs tasks that would conflict with each other one after another, in this process: also the events of an order. */
import PQueue from 'p-queue';

export type InTurn = {
  /** Whether a task of this name would have to wait, and how many do. */
  load(name: string): { isBusy: boolean; waiting: number };
  run<T>(name: string, task: () => Promise<T>): Promise<T>;
};

export function createInTurn(): InTurn {
  const queues = new Map<string, PQueue>();
  return {
    load(name) {
      const queue = queues.get(name);
      return { isBusy: queue !== undefined, waiting: queue?.size ?? 0 };
    },
    async run(name, task) {
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

/** Runs a task once for all who ask while it runs for somebody else. @returns resolves after a run that began later */
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

/** `subject`: the order, as the store lists its requests. */
type About = { workspace: string; subject: string };

export type EventsInTurn = {
  /** @returns `too_many` if too many events wait already: then `apply` never runs */
  run<T>(about: About, apply: () => Promise<T>): Promise<T | 'too_many'>;
};

/**
 * Applies the events of one order one after another. How many may wait is bounded, so that one order or one workspace costs
 * others neither memory nor time.
 */
export function createEventsInTurn(): EventsInTurn {
  const orders = createInTurn();
  const waiting = new Map<string, number>();
  const wait = (workspace: string, by: number) => {
    const count = (waiting.get(workspace) ?? 0) + by;
    if (count > 0) waiting.set(workspace, count);
    else waiting.delete(workspace);
  };
  return {
    async run({ workspace, subject }, apply) {
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
