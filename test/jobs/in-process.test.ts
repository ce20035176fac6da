import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRunner, type RunnerOptions } from '../../src/jobs/in-process.ts';
import type { RecordRef } from '../../src/requests/record-store.ts';

const A: RecordRef = { workspace: 'T1', id: 'a' };
const B: RecordRef = { workspace: 'T1', id: 'b' };
const HOUR = 3_600_000;

function run(
  advance: (ref: RecordRef) => Promise<number | undefined>,
  {
    due = async () => [] as RecordRef[],
    ...options
  }: Partial<RunnerOptions> & { due?: () => Promise<RecordRef[]> } = {},
) {
  const errors: object[] = [];
  const postponed: RecordRef[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
  const runner = createRunner({
    advance,
    due,
    postpone: async (ref) => void postponed.push(ref),
    log,
    options: { sweepMs: HOUR, stopMs: 5_000, ...options },
  });
  onTestFinished(() => runner.stop());
  return { runner, errors, postponed };
}

describe('the runner', () => {
  test('advances what is triggered', async () => {
    const advance = vi.fn(async () => undefined);
    run(advance).runner.trigger(A);
    await vi.waitFor(() => expect(advance).toHaveBeenCalledWith(A));
  });

  test('never runs one request twice at once, and runs it again when it was triggered meanwhile', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let running = 0;
    let most = 0;
    const advance = vi.fn(async () => {
      most = Math.max(most, ++running);
      await gates[advance.mock.calls.length - 1]?.promise;
      running -= 1;
      return undefined;
    });
    const { runner } = run(advance);
    for (let i = 0; i < 5; i++) runner.trigger(A);
    await vi.waitFor(() => expect(advance).toHaveBeenCalledTimes(1));
    gates[0]?.resolve();
    await vi.waitFor(() => expect(advance).toHaveBeenCalledTimes(2));
    gates[1]?.resolve();
    await runner.stop();
    expect([advance.mock.calls.length, most]).toEqual([2, 1]);
  });

  test('lets a slow request delay no other one', async () => {
    const slow = Promise.withResolvers<undefined>();
    const done: string[] = [];
    const { runner } = run(async ({ id }) => {
      if (id === 'a') await slow.promise;
      done.push(id);
      return undefined;
    });
    runner.trigger(A);
    runner.trigger(B);
    await vi.waitFor(() => expect(done).toEqual(['b']));
    slow.resolve(undefined);
  });

  test('comes back when something is due', async () => {
    const advance = vi.fn(async () => (advance.mock.calls.length === 1 ? 1 : undefined));
    run(advance).runner.trigger(A);
    await vi.waitFor(() => expect(advance).toHaveBeenCalledTimes(2));
  });

  test('sweeps at its start and again and again, through faults of the storage', async () => {
    const advance = vi.fn(async () => undefined);
    const due = vi.fn(async () => {
      if (due.mock.calls.length === 1) throw new Error('storage away');
      return [A, B];
    });
    const { runner, errors } = run(advance, { due, sweepMs: 1 });
    runner.start();
    await vi.waitFor(() => expect(advance.mock.calls).toEqual(expect.arrayContaining([[A], [B]])));
    expect(errors).toHaveLength(1);
  });

  test('logs a fault of one request, puts it off, and goes on with the others', async () => {
    const done: string[] = [];
    const { runner, errors, postponed } = run(async ({ id }) => {
      if (id === 'a') throw new Error('broken');
      done.push(id);
      return undefined;
    });
    runner.trigger(A);
    runner.trigger(B);
    await vi.waitFor(() => expect(done).toEqual(['b']));
    expect(errors).toMatchObject([{ request: 'a', workspace: 'T1' }]);
    expect(postponed).toEqual([A]);
  });

  test('stops once what is under way is finished, and takes nothing new', async () => {
    const gate = Promise.withResolvers<undefined>();
    const advance = vi.fn(() => gate.promise);
    const { runner } = run(advance);
    runner.trigger(A);
    await vi.waitFor(() => expect(advance).toHaveBeenCalledTimes(1));
    const stopped = runner.stop();
    runner.trigger(B);
    gate.resolve(undefined);
    await stopped;
    expect(advance).toHaveBeenCalledTimes(1);
  });

  test('does not wait for ever for what hangs', async () => {
    const { runner } = run(() => new Promise(() => {}), { stopMs: 1 });
    runner.trigger(A);
    await expect(runner.stop()).resolves.toBeUndefined();
  });
});
