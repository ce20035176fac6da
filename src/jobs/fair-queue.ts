/**
 * Runs a bounded number of tasks concurrently, with the workspaces in turn: however many or slow one workspace's tasks
 * are, another workspace's task is next (promise 6).
 */

/** @param share the number of concurrent tasks of one workspace; the rest of `concurrency` stays free for others */
export function createFairQueue({ concurrency, share }: { concurrency: number; share: number }) {
  /** Functions that start the waiting tasks, by workspace. The Map keeps the order: one that had a turn moves to the end. */
  const waiting = new Map<string, (() => void)[]>();
  /** The number of running tasks, by workspace and in all. */
  const running = new Map<string, number>();
  let total = 0;
  let becomeIdle = () => {};

  function count(workspace: string, by: 1 | -1): void {
    total += by;
    const left = (running.get(workspace) ?? 0) + by;
    if (left > 0) running.set(workspace, left);
    else running.delete(workspace);
  }

  /** Starts one task, if one may run. One is enough, because places become free one at a time. */
  function startNext(): void {
    if (total === concurrency) return;
    for (const [workspace, tasks] of waiting) {
      if (running.get(workspace) === share) continue;
      const start = tasks.shift();
      waiting.delete(workspace);
      if (tasks.length > 0) waiting.set(workspace, tasks);
      count(workspace, 1);
      start?.();
      return;
    }
  }

  return {
    async run(workspace: string, task: () => Promise<void>): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const tasks = waiting.get(workspace);
      if (tasks) tasks.push(resolve);
      else waiting.set(workspace, [resolve]);
      startNext();
      await promise;
      try {
        await task();
      } finally {
        count(workspace, -1);
        startNext();
        if (total === 0) becomeIdle();
      }
    },
    waiting: (workspace: string): number => waiting.get(workspace)?.length ?? 0,
    /** Resolves when nothing runs or waits. */
    async idle(): Promise<void> {
      if (total === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      becomeIdle = resolve;
      await promise;
    },
  };
}
