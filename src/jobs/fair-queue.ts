/**
 * Runs tasks a bounded number at a time, the workspaces in turn: however much one of them has to do, and however long
 * that takes, the next task of another one is next (invariant 6).
 */
import PQueue, { type QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;
type Options = QueueAddOptions & { readonly workspace: string };

export type FairQueue = {
  run(workspace: string, task: () => Promise<void>): Promise<void>;
  /** How many tasks of a workspace wait. */
  waiting(workspace: string): number;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
};

/** @param share how many tasks of one workspace run at once; the rest of `concurrency` stays free for others */
export function createFairQueue({ concurrency, share }: { concurrency: number; share: number }): FairQueue {
  const waiting = new InTurn(share);
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

/** p-queue makes the queue itself, from a class. */
const sharing = (waiting: InTurn) =>
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

class InTurn {
  readonly #share: number;
  /** The tasks that wait, by workspace. A Map keeps the order: whose turn it was goes to the end. */
  readonly #waiting = new Map<string, Run[]>();
  readonly #running = new Map<string, number>();

  constructor(share: number) {
    this.#share = share;
  }

  /** As p-queue sees it: 0 while all that waits belongs to workspaces that have their share. */
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

  count(workspace: string): number {
    return (this.#waiting.get(workspace)?.length ?? 0) + (this.#running.get(workspace) ?? 0);
  }

  #mayRun(workspace: string): boolean {
    return (this.#running.get(workspace) ?? 0) < this.#share;
  }
}
