/** A record that becomes due later has one timer, however often it was triggered meanwhile. */
import { Queue } from 'bullmq';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQueues } from '../../src/jobs/queue.ts';
import { createRunner, type RunnerDeps } from '../../src/jobs/runner.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import type { RecordRef } from '../../src/outbox/record-store.ts';
import { RUNTIME } from '../../src/runtime.ts';
import { createQueueClient } from '../../src/storage/redis/connection/connection.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { eventually } from '../support/time/eventually.ts';

const A: RecordRef = { workspace: 'T1', id: 'a' };
const HOUR = 3_600_000;
/** So long that no test outlasts it. */
const DUE_MS = 59_000;

/** The record is due in a minute, or not at all once it `rests`. */
function createRecord(dueMs = DUE_MS) {
  const state = { rests: false, advanced: 0, dueMs };
  const deps: RunnerDeps = {
    runtime: RUNTIME,
    about: (ref) => ref,
    due: async () => [],
    postpone: async () => {},
    log: SILENT,
    options: { sweepMs: HOUR, stopMs: 5_000 },
  };
  const advance = async () => {
    state.advanced += 1;
    return state.rests ? undefined : state.dueMs;
  };
  return { state, deps, advance };
}

/** Triggers the record three times, one after another. */
async function triggered(wake: (ref: RecordRef) => void, state: { advanced: number }): Promise<void> {
  for (let round = 1; round <= 3; round++) {
    wake(A);
    await eventually(() => expect(state.advanced).toBe(round));
  }
}

describe('in one process', () => {
  /** The timers that are set, and what each does once its time has come. */
  function start(dueMs = DUE_MS) {
    const { state, deps, advance } = createRecord(dueMs);
    const timers = new Set<() => void>();
    const canceled: (() => void)[] = [];
    const after = (ms: number, act: () => void) => {
      if (ms !== dueMs) return RUNTIME.after(ms, act);
      timers.add(act);
      return () => {
        timers.delete(act);
        canceled.push(act);
      };
    };
    const runner = createRunner({ ...deps, runtime: { ...RUNTIME, after } });
    onTestFinished(() => runner.stop());
    runner.start(advance);
    return { state, runner, timers, canceled };
  }

  test('each wake-up replaces the timer of the one before', async () => {
    const { state, runner, timers } = start();
    await triggered(runner.wake, state);
    await eventually(() => expect(timers.size).toBe(1));
    state.rests = true;
    for (const act of timers) act();
    await eventually(() => expect(state.advanced).toBe(4));
    await runner.stop();
    expect(state.advanced).toBe(4);
  });

  test.each([
    [60_000, 1],
    [60_001, 0],
  ])('of what is due in %i ms there are %i: the sweep finds what is due later', async (dueMs, count) => {
    const { state, runner, timers } = start(dueMs);
    await triggered(runner.wake, state);
    await runner.stop();
    const { state: other, runner: last, timers: left } = start(dueMs);
    await triggered(last.wake, other);
    await new Promise(setImmediate);
    expect([timers.size, left.size]).toEqual([0, count]);
  });

  test('a timer that has gone off is forgotten', async () => {
    const { state, runner, timers, canceled } = start();
    runner.wake(A);
    await eventually(() => expect(timers.size).toBe(1));
    state.rests = true;
    for (const act of timers) act();
    await eventually(() => expect(state.advanced).toBe(2));
    await runner.stop();
    expect(canceled).toEqual([]);
  });

  test('a stop cancels it', async () => {
    const { state, runner, timers } = start();
    await triggered(runner.wake, state);
    await eventually(() => expect(timers.size).toBe(1));
    await runner.stop();
    expect(timers.size).toBe(0);
  });
});

describe('over BullMQ', () => {
  needsRedis();

  async function start(dueMs: number) {
    const { state, deps, advance } = createRecord(dueMs);
    const { url, prefix } = await emptyRedis();
    const client = createQueueClient(url);
    await client.connect();
    onTestFinished(() => client.destroy());
    const runner = openQueues(client, prefix).createRunner(deps, 'requests');
    runner.start(advance);
    /** Stops the runner: a job that runs is finished then. @returns the delays of the delayed jobs */
    const stop = async () => {
      await runner.stop();
      const queue = new Queue('requests', {
        connection: client,
        prefix: `${prefix}:jobs`,
        skipMetasUpdate: true,
      });
      onTestFinished(() => queue.close());
      return (await queue.getDelayed()).map(({ delay }) => delay);
    };
    return { state, runner, stop };
  }

  test.each([
    [60_000, 1],
    [60_001, 0],
  ])(
    'of what is due in %i ms %i delayed jobs are left, however often it was triggered',
    async (dueMs, count) => {
      const { state, runner, stop } = await start(dueMs);
      await triggered(runner.wake, state);
      expect(await stop()).toHaveLength(count);
    },
  );

  test('a record that becomes due sooner than before is woken at the sooner time', async () => {
    const { state, runner, stop } = await start(DUE_MS);
    runner.wake(A);
    await eventually(() => expect(state.advanced).toBe(1));
    state.dueMs = DUE_MS / 2;
    runner.wake(A);
    await eventually(() => expect(state.advanced).toBe(2));
    expect(await stop()).toEqual([DUE_MS / 2]);
  });
});
