/**
 * Applies the events of one order one after another in this process: they would only conflict with each other. How many may
 * wait is bounded, so that one order or one workspace costs others neither memory nor time.
 */
import PQueue from 'p-queue';

const MOST_OF_AN_ORDER = 100;
const MOST_OF_A_WORKSPACE = 1_000;

/** `subject`: the order, as the store lists its requests. */
type About = { workspace: string; subject: string };

export type EventsInTurn = {
  /** @returns `too_many` if too many events wait already: then `apply` never runs */
  run<T>(about: About, apply: () => Promise<T>): Promise<T | 'too_many'>;
};

export function createEventsInTurn(): EventsInTurn {
  const queues = new Map<string, PQueue>();
  const waiting = new Map<string, number>();
  const wait = (workspace: string, by: number) => {
    const count = (waiting.get(workspace) ?? 0) + by;
    if (count > 0) waiting.set(workspace, count);
    else waiting.delete(workspace);
  };
  return {
    async run({ workspace, subject }, apply) {
      const key = JSON.stringify([workspace, subject]);
      const queue = queues.get(key) ?? new PQueue({ concurrency: 1 });
      const mustWait = queue.pending > 0;
      const isFull = queue.size >= MOST_OF_AN_ORDER || (waiting.get(workspace) ?? 0) >= MOST_OF_A_WORKSPACE;
      if (mustWait && isFull) return 'too_many';
      queues.set(key, queue);
      if (mustWait) wait(workspace, 1);
      try {
        return await queue.add(async () => {
          if (mustWait) wait(workspace, -1);
          return apply();
        });
      } finally {
        if (queue.pending === 0 && queue.size === 0) queues.delete(key);
      }
    },
  };
}
