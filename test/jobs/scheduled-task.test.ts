import { describe, expect, onTestFinished, test } from 'vitest';
import { createScheduledTask, DAILY, HOURLY, OFTEN, type TaskRecord } from '../../src/jobs/scheduled-task.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { NO_WORKSPACE, NOT_STORED } from '../../src/outbox/record-store.ts';
import { RUNTIME } from '../../src/runtime.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

/** Two replicas, as a task sees them. */
function replicas() {
  const storage = openSqliteStorage(`${temporaryFolder()}/test.db`);
  onTestFinished(storage.close);
  const said: string[] = [];
  const note = (_fields: object, message: string) => void said.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const times = { firstMs: 0, everyMs: 1, claimMs: 60_000 };
  const start = (work: () => Promise<void>, runsDespite?: (reason: unknown) => boolean) => {
    const task = createScheduledTask(
      { name: 'task', tasks: storage.tasks, runtime: RUNTIME, log, times, runsDespite },
      work,
    );
    task.start();
    onTestFinished(task.stop);
    return task;
  };
  return { start, said, tasks: storage.tasks };
}

const MINUTE = 60_000;

test.each([
  { often: 'hourly', times: HOURLY, waits: [MINUTE, 60 * MINUTE] },
  { often: 'daily', times: DAILY, waits: [30 * MINUTE, 24 * 60 * MINUTE] },
  { often: 'every half minute', times: OFTEN, waits: [MINUTE / 6, MINUTE / 2] },
])(
  'what is done $often leaves the first moments after a start to more urgent work, and replicas are spread over a fifth',
  async ({ times, waits }) => {
    const storage = openSqliteStorage(`${temporaryFolder()}/test.db`);
    onTestFinished(storage.close);
    const waited: number[] = [];
    const drawn = [0, 1];
    const asleep = Promise.withResolvers<never>();
    const runtime = {
      ...RUNTIME,
      random: () => drawn.shift() ?? 0,
      async sleep(ms: number) {
        waited.push(Math.round(ms));
        if (waited.length > 1) await asleep.promise;
      },
    };
    const log = SILENT;
    const task = createScheduledTask(
      { name: 'task', tasks: storage.tasks, runtime, log, times },
      async () => {},
    );
    task.start();
    const [first = 0, later = 0] = waits;
    await expect.poll(() => waited).toEqual([0.9 * first, 1.1 * later].map(Math.round));
    asleep.reject(new Error('stopped'));
    await task.stop();
  },
);

describe('a task', () => {
  test('is done again and again, also after it has failed', async () => {
    const { start, said } = replicas();
    let times = 0;
    start(async () => {
      times += 1;
      if (times === 1) throw new Error('it broke');
    });
    await expect.poll(() => times).toBeGreaterThan(2);
    expect(said).toEqual(['scheduled task failed']);
  });

  test('is left to the replica that is at it', async () => {
    const { start, said } = replicas();
    const done = Promise.withResolvers<void>();
    let atIt = 0;
    const work = () => {
      atIt += 1;
      return done.promise;
    };
    start(work);
    await expect.poll(() => atIt).toBe(1);
    start(work);
    await expect.poll(() => said).toContain('task skipped: another replica has claimed it');
    expect(atIt).toBe(1);
    done.resolve();
  });

  test('is left to the replica that has claimed it in the same moment', async () => {
    const { start, said, tasks } = replicas();
    const { create } = tasks;
    tasks.create = async (entry, ...rest) => {
      const claim = { owner: 'another', expiresAt: Date.now() + MINUTE };
      await create({ ...entry, record: { ...entry.record, claim } });
      return create(entry, ...rest);
    };
    let times = 0;
    start(async () => {
      times += 1;
    });
    await expect.poll(() => said).toContain('task skipped: another replica has claimed it');
    expect(times).toBe(0);
  });

  test('is done without a claim only where that cannot be written for a reason that the task permits', async () => {
    const { start, said, tasks } = replicas();
    const full = new Error('the storage is full');
    tasks.create = () => Promise.reject(full);
    let times = 0;
    const work = async () => {
      times += 1;
    };
    const ofAnotherReason = start(work, (reason) => reason !== full);
    await expect.poll(() => said).toContain('scheduled task failed');
    await ofAnotherReason.stop();
    expect(times).toBe(0);
    const before = said.length;
    start(work, (reason) => reason === full);
    await expect.poll(() => times).toBeGreaterThan(1);
    expect(said).toHaveLength(before);
  });

  test('is no failure where its claim cannot be removed, which then expires by itself', async () => {
    const { start, said, tasks } = replicas();
    tasks.remove = () => Promise.reject(new Error('storage away'));
    start(async () => {});
    await expect.poll(() => said.length).toBeGreaterThan(0);
    expect(new Set(said)).toEqual(new Set(['task skipped: another replica has claimed it']));
  });

  test('is done though a crash has left a claim of a clock that was ahead', async () => {
    const { start, tasks } = replicas();
    const claim = { owner: 'gone', expiresAt: Date.now() + 24 * 60 * 60_000 };
    const record: TaskRecord = { workspace: NO_WORKSPACE, id: 'task', version: NOT_STORED, claim };
    await tasks.create({ record, subjects: [], at: 0, slot: undefined, dueAt: undefined });
    let times = 0;
    start(async () => {
      times += 1;
    });
    await expect.poll(() => times).toBeGreaterThan(0);
  });

  test('is not begun any more once it is stopped, and what is under way is waited for', async () => {
    const { start, tasks } = replicas();
    const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let ended = 0;
    const task = start(async () => {
      begun.resolve();
      await done.promise;
      ended += 1;
    });
    await begun.promise;
    let isStopped = false;
    const stopped = task.stop().then(() => {
      isStopped = true;
    });
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    done.resolve();
    await stopped;
    expect(ended).toBe(1);
    expect(await tasks.get({ workspace: NO_WORKSPACE, id: 'task' })).toBeUndefined();
  });
});
