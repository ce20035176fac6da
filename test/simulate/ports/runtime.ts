/** Simulates the clock, timers and randomness of one replica. */
import { createHash } from 'node:crypto';
import type { Runtime } from '../../../src/requests/ports/ports.ts';
import type { Machine } from './machine.ts';

/** The interval of the sweep. A sweep that would find nothing is skipped. */
export const SWEEP_MS = 5_000;

type RuntimeOptions = {
  /** Its clock skew: milliseconds that its wall clock is ahead. */
  skew: () => number;
  /** A counter for ids, the same in every run of a play. */
  nextNumber: () => number;
  /** The time for which a sweep that would find nothing is put off, milliseconds; 0: it would find something. */
  nextSweepMs: () => number;
};

export function simulatedRuntime(
  { scheduler, process }: Machine,
  { skew, nextNumber, nextSweepMs }: RuntimeOptions,
): Runtime {
  const startedAt = scheduler.now();
  const untilNextSweep = () => (process.isAlive() ? nextSweepMs() : 0);
  const after: Runtime['after'] = (ms, run) =>
    scheduler.after(ms, () => process.enter(run), ms === SWEEP_MS ? untilNextSweep : undefined);
  return {
    now: () => scheduler.now() + skew(),
    monotonic: () => scheduler.now() - startedAt,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const cancel = after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    pause: () => new Promise((resolve) => scheduler.after(0, () => process.enter(resolve))),
    after,
    random: () => 0.5,
    uuid: () => `${process.name}-${nextNumber()}`,
    secret: (bytes) =>
      createHash('sha512').update(`secret ${nextNumber()}`).digest().subarray(0, bytes).toString('base64url'),
  };
}
