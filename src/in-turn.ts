/** Runs tasks that would conflict with each other one after another, in this process. */
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
