import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/jobs/runner.ts';

/** Lets every promise that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that end when the test says so. */
function createTasks(options: { concurrency: number; share: number }) {
  const queue = createFairQueue(options);
  const begun: string[] = [];
  const running: { workspace: string; end: () => void }[] = [];
  const ends: Promise<void>[] = [];
  return {
    queue,
    begun,
    running,
    ended: () => Promise.all(ends),
    add(workspace: string): void {
      const { promise, resolve } = Promise.withResolvers<void>();
      const task = async () => {
        begun.push(workspace);
        running.push({ workspace, end: resolve });
        await promise;
      };
      ends.push(queue.run(workspace, task));
    },
    async end(index = 0): Promise<void> {
      running.splice(index % running.length, 1)[0]?.end();
      await settle();
    },
  };
}

test('the next task of another workspace is next, however many one of them has', async () => {
  const tasks = createTasks({ concurrency: 1, share: 1 });
  for (let n = 0; n < 50; n++) tasks.add('T1');
  await settle();
  for (const workspace of ['T2', 'T3', 'T2']) tasks.add(workspace);
  while (tasks.running.length > 0) await tasks.end();
  await tasks.ended();
  expect(tasks.begun.slice(0, 6)).toEqual(['T1', 'T1', 'T2', 'T3', 'T1', 'T2']);
  expect(tasks.begun).toHaveLength(53);
});

test('a task that fails gives its place back', async () => {
  const { queue } = createTasks({ concurrency: 1, share: 1 });
  await expect(queue.run('T1', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await queue.run('T1', async () => {});
  await queue.idle();
});

test('the queue is idle only once the last task has ended, and not when none waits any more', async () => {
  const tasks = createTasks({ concurrency: 2, share: 2 });
  for (let n = 0; n < 2; n++) tasks.add('T1');
  await settle();
  let isIdle = false;
  const idle = tasks.queue.idle().then(() => {
    isIdle = true;
  });
  await tasks.end();
  expect(isIdle).toBe(false);
  await tasks.end();
  await idle;
});

const count = (list: readonly string[], of: string) => list.filter((each) => each === of).length;

/** Nobody has more than the share, and a place is free only where nobody may take it. */
function checkShares(
  { running, begun }: ReturnType<typeof createTasks>,
  added: readonly string[],
  { share, concurrency }: { share: number; concurrency: number },
): void {
  const runs = running.map(({ workspace }) => workspace);
  for (const workspace of runs) expect(count(runs, workspace)).toBeLessThanOrEqual(share);
  const isHeldUp = (workspace: string) =>
    count(added, workspace) > count(begun, workspace) && count(runs, workspace) < share;
  if (added.some(isHeldUp)) expect(runs).toHaveLength(concurrency);
}

test('no workspace ever has more than its share, nothing waits without need, and everything runs once', async () => {
  /** A task of a workspace is added, or one of those that run ends. */
  const steps = fc.array(fc.oneof(fc.constantFrom('T1', 'T2', 'T3'), fc.nat(9)), { maxLength: 80 });
  const places = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(steps, places, places, async (all, a, b) => {
      const options = { share: Math.min(a, b), concurrency: Math.max(a, b) };
      const tasks = createTasks(options);
      const added: string[] = [];
      for (const step of all) {
        if (typeof step === 'string') {
          tasks.add(step);
          added.push(step);
          await settle();
        } else if (tasks.running.length > 0) await tasks.end(step);
        checkShares(tasks, added, options);
      }
      while (tasks.running.length > 0) await tasks.end();
      await tasks.ended();
      expect(tasks.begun.toSorted()).toEqual(added.toSorted());
    }),
    { numRuns: 200 },
  );
});
