/**
 * Runs a bounded number of tasks concurrently, with the workspaces in turn: however many or slow one workspace's tasks
 * are, another workspace's task is next (promise 6).
 */
import PQueue, { type QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;
type Options = QueueAddOptions & { readonly workspace: string };

export type FairQueue = {
  run(workspace: string, task: () => Promise<void>): Promise<void>;
  /** The number of waiting tasks of a workspace. */
  waiting(workspace: string): number;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
};

/** @param share the number of concurrent tasks of one workspace; the rest of `concurrency` stays free for others */
export function createFairQueue({ concurrency, share }: { concurrency: number; share: number }): FairQueue {
  const waiting = new RoundRobin(share);
  const queueClass = sharing(waiting);
  const queue = new PQueue<InstanceType<typeof queueClass>, Options>({ concurrency, queueClass });
  return {
    run: (workspace, task) =>
      queue.add(
        async () => {
          try {
            await task();
          } finally {
            waiting.ended(workspace);
          }
        },
        { workspace },
      ),
    waiting: (workspace) => waiting.of(workspace),
    idle: () => queue.onIdle(),
  };
}

/** Provides the queue as a class, which p-queue instantiates itself. */
const sharing = (waiting: RoundRobin) =>
  class {
    get size(): number {
      return waiting.size;
    }
    enqueue(run: Run, options?: Partial<Options>): void {
      waiting.enqueue(run, options?.workspace ?? '');
    }
    dequeue(): Run | undefined {
      return waiting.dequeue();
    }
    filter(): Run[] {
      return [];
    }
    setPriority(): void {}
    remove(): void {}
  };

class RoundRobin {
  readonly #share: number;
  /** The waiting tasks by workspace. A Map keeps the order: a workspace that had its turn moves to the end. */
  readonly #waiting = new Map<string, Run[]>();
  readonly #running = new Map<string, number>();

  constructor(share: number) {
    this.#share = share;
  }

  /** The size for p-queue: 0 while all waiting tasks belong to workspaces at their limit. */
  get size(): number {
    let size = 0;
    for (const [workspace, tasks] of this.#waiting) if (this.#mayRun(workspace)) size += tasks.length;
    return size;
  }

  of(workspace: string): number {
    return this.#waiting.get(workspace)?.length ?? 0;
  }

  enqueue(run: Run, workspace: string): void {
    const tasks = this.#waiting.get(workspace);
    if (tasks) tasks.push(run);
    else this.#waiting.set(workspace, [run]);
  }

  dequeue(): Run | undefined {
    for (const [workspace, tasks] of this.#waiting) {
      if (!this.#mayRun(workspace)) continue;
      const run = tasks.shift();
      this.#waiting.delete(workspace);
      if (tasks.length > 0) this.#waiting.set(workspace, tasks);
      this.#running.set(workspace, (this.#running.get(workspace) ?? 0) + 1);
      return run;
    }
    return undefined;
  }

  ended(workspace: string): void {
    const left = (this.#running.get(workspace) ?? 1) - 1;
    if (left > 0) this.#running.set(workspace, left);
    else this.#running.delete(workspace);
  }

  #mayRun(workspace: string): boolean {
    return (this.#running.get(workspace) ?? 0) < this.#share;
  }
}
