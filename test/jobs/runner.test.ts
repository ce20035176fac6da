/** The contract of every runner, in one process or between several. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openQueues } from '../../src/jobs/queue.ts';
import {
  createRunner,
  createSweep,
  type Runner,
  type RunnerDeps,
  type RunnerOptions,
} from '../../src/jobs/runner.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import type { RecordRef } from '../../src/outbox/record-store.ts';
import { RUNTIME } from '../../src/runtime.ts';
import { createQueueClient } from '../../src/storage/redis/connection/connection.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { eventually } from '../support/time/eventually.ts';

const A: RecordRef = { workspace: 'T1', id: 'a' };
const B: RecordRef = { workspace: 'T1', id: 'b' };
const HOUR = 3_600_000;

const RUNNERS: Record<string, (deps: RunnerDeps) => Promise<Runner>> = {
  'in one process': async (deps) => createRunner(deps),
  'over BullMQ': async (deps) => {
    const { url, prefix } = await emptyRedis();
    const client = createQueueClient(url);
    await client.connect();
    onTestFinished(() => client.destroy());
    return openQueues(client, prefix).createRunner(deps, 'requests');
  },
};

describe.each(Object.entries(RUNNERS))('the runner %s', (name, create) => {
  if (name === 'over BullMQ') needsRedis();

  /** Started, with nothing that is due unless a test says so. */
  async function run(
    advance: (ref: RecordRef) => Promise<number | undefined>,
    {
      due = async () => [] as RecordRef[],
      runtime = RUNTIME,
      ...options
    }: Partial<RunnerOptions> & { due?: () => Promise<RecordRef[]>; runtime?: typeof RUNTIME } = {},
  ) {
    const errors: object[] = [];
    const postponed: [RecordRef, number][] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
    const runner = await create({
      runtime,
      about: ({ workspace, id }) => ({ request: id, workspace }),
      due,
      postpone: async (...given) => void postponed.push(given),
      log,
      options: { sweepMs: HOUR, stopMs: 5_000, ...options },
    });
    onTestFinished(() => runner.stop());
    runner.start(advance);
    return { runner, errors, postponed };
  }

  test('advances what is triggered', async () => {
    const advance = vi.fn(async () => undefined);
    (await run(advance)).runner.wake(A);
    await eventually(() => expect(advance).toHaveBeenCalledWith(A));
  });

  test('never runs one request twice at once, and runs it again when it was triggered meanwhile', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [running, most, turn] = [0, 0, 0];
    const advance = vi.fn(async (ref: RecordRef) => {
      if (ref.id === 'b') return undefined;
      most = Math.max(most, ++running);
      await gates[turn++]?.promise;
      running -= 1;
      return undefined;
    });
    const rounds = () => advance.mock.calls.filter(([ref]) => ref.id === 'a').length;
    const { runner } = await run(advance);
    runner.wake(A);
    await eventually(() => expect(advance).toHaveBeenCalledTimes(1));
    for (let i = 0; i < 4; i++) runner.wake(A);
    runner.wake(B);
    await eventually(() => expect(advance).toHaveBeenCalledWith(B));
    gates[0]?.resolve();
    await eventually(() => expect(rounds()).toBe(2));
    gates[1]?.resolve();
    await runner.stop();
    expect([rounds(), most]).toEqual([2, 1]);
  });

  test('lets a slow request delay no other one', async () => {
    const slow = Promise.withResolvers<undefined>();
    const done: string[] = [];
    const { runner } = await run(async ({ id }) => {
      if (id === 'a') await slow.promise;
      done.push(id);
      return undefined;
    });
    runner.wake(A);
    runner.wake(B);
    await eventually(() => expect(done).toEqual(['b']));
    slow.resolve(undefined);
  });

  test('lets a workspace whose requests are slow delay nobody else, however many they are', async () => {
    const slow = Promise.withResolvers<undefined>();
    const begun: RecordRef[] = [];
    const backlog = Array.from({ length: 100 }, (_, n) => ({ workspace: 'T1', id: `${n}` }));
    const hasBegun = (ref: RecordRef) =>
      begun.some(({ workspace, id }) => workspace === ref.workspace && id === ref.id);
    const { runner } = await run(
      async (ref) => {
        if (!hasBegun(ref)) begun.push(ref);
        return ref.workspace === 'T1' ? slow.promise : undefined;
      },
      { concurrency: 4, share: 2, sweepMs: 1_000, due: async () => backlog.filter((ref) => !hasBegun(ref)) },
    );
    for (const ref of backlog) runner.wake(ref);
    for (const workspace of ['T2', 'T3', 'T4']) runner.wake({ workspace, id: 'a' });
    const others = () => begun.filter(({ workspace }) => workspace !== 'T1');
    await eventually(() => expect(others()).toHaveLength(3));
    expect(begun).toHaveLength(5);
    slow.resolve(undefined);
    await eventually(() => expect(begun).toHaveLength(103));
  });

  test('comes back when something is due', async () => {
    const advance = vi.fn(async () => (advance.mock.calls.length === 1 ? 1 : undefined));
    (await run(advance)).runner.wake(A);
    await eventually(() => expect(advance).toHaveBeenCalledTimes(2));
  });

  test('sweeps at its start and again and again, through faults of the storage', async () => {
    const advance = vi.fn(async () => undefined);
    const due = vi.fn(async () => {
      if (due.mock.calls.length === 1) throw new Error('storage away');
      return [A, B];
    });
    const { errors } = await run(advance, { due, sweepMs: 1 });
    await eventually(() => expect(advance.mock.calls).toEqual(expect.arrayContaining([[A], [B]])));
    expect(errors).toHaveLength(1);
  });

  test('logs a fault of one request, puts it off for a minute, and goes on with the others', async () => {
    const done: string[] = [];
    const { runner, errors, postponed } = await run(async ({ id }) => {
      if (id === 'a') throw new Error('broken');
      done.push(id);
      return undefined;
    });
    runner.wake(A);
    runner.wake(B);
    await eventually(() => expect(done).toEqual(['b']));
    await eventually(() => expect(postponed).toEqual([[A, 60_000]]));
    expect(errors[0]).toMatchObject({ request: 'a', workspace: 'T1' });
  });

  test('stops once what is under way is finished, and takes nothing new', async () => {
    const gate = Promise.withResolvers<undefined>();
    const advance = vi.fn(() => gate.promise);
    const { runner } = await run(advance);
    runner.wake(A);
    await eventually(() => expect(advance).toHaveBeenCalledTimes(1));
    let isStopped = false;
    const stopped = runner.stop().then(() => {
      isStopped = true;
    });
    runner.wake(B);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    gate.resolve(undefined);
    await stopped;
    expect(advance).toHaveBeenCalledTimes(1);
  });

  test('sweeps no more once it is stopped', async () => {
    let cancelled = 0;
    const after: typeof RUNTIME.after = (ms, act) => {
      if (ms !== HOUR) return RUNTIME.after(ms, act);
      return () => {
        cancelled += 1;
      };
    };
    const due = vi.fn(async () => []);
    const { runner } = await run(async () => undefined, { due, runtime: { ...RUNTIME, after } });
    await eventually(() => expect(due).toHaveBeenCalled());
    await new Promise(setImmediate);
    await runner.stop();
    expect(cancelled).toBe(1);
  });

  test('does not wait for ever for what hangs', async () => {
    const { runner } = await run(() => new Promise(() => {}), { stopMs: 1 });
    runner.wake(A);
    await expect(runner.stop()).resolves.toBeUndefined();
  });
});

test('a record that can be neither advanced nor postponed is advanced when it is woken again', async () => {
  const advance = vi.fn(() => Promise.reject(new Error('storage away')));
  const about = (ref: RecordRef) => ref;
  const postpone = () => Promise.reject(new Error('storage away'));
  const runner = createRunner({ runtime: RUNTIME, due: async () => [], postpone, about, log: SILENT });
  onTestFinished(() => runner.stop());
  runner.start(advance);
  for (let times = 1; times <= 2; times++) {
    runner.wake(A);
    await new Promise(setImmediate);
    expect(advance).toHaveBeenCalledTimes(times);
  }
});

/** Sweeps once. @returns the waits until the next sweep, milliseconds */
async function sweepOnce(found: Promise<RecordRef[]>, { isStopped = false } = {}): Promise<number[]> {
  const planned: number[] = [];
  const after = (ms: number) => {
    planned.push(ms);
    return () => {};
  };
  const deps = { due: () => found, runtime: { after }, log: SILENT };
  const sweep = createSweep(deps, { everyMs: 5_000, wake() {} });
  sweep.start();
  if (isStopped) sweep.stop();
  await found;
  await new Promise(setImmediate);
  return planned;
}

test.each([
  [199, 5_000],
  [200, 1_000],
])(
  'after %i records were found, the next sweep comes in %i ms: 200 mean that more are due',
  async (count, ms) => {
    const found = Array.from({ length: count }, () => A);
    expect(await sweepOnce(Promise.resolve(found))).toEqual([ms]);
  },
);

test('a sweep that is under way when it is stopped is the last one', async () => {
  expect(await sweepOnce(Promise.resolve([]), { isStopped: true })).toEqual([]);
});
