/** Time and chance of one replica. */
import { createHash } from 'node:crypto';
import type { Runtime } from '../../../src/requests/ports/runtime.ts';
import type { Machine } from './machine.ts';

/** The sweep asks for what is due so often; where nothing is, it is not even begun. */
export const SWEEP_MS = 5_000;

type Given = {
  /** How far its wall clock is ahead, milliseconds. */
  skew: () => number;
  /** Numbers for ids: the same in every run of a play. */
  nextNumber: () => number;
  /** Whether a sweep would find anything now. */
  isAnythingDue: () => boolean;
};

export function simulatedRuntime(
  { timeline, life }: Machine,
  { skew, nextNumber, isAnythingDue }: Given,
): Runtime {
  const born = timeline.now();
  const after: Runtime['after'] = (ms, run) => {
    let cancel = () => {};
    const arm = () => {
      cancel = timeline.after(ms, () => {
        if (ms === SWEEP_MS && life.isAlive() && !isAnythingDue()) arm();
        else life.enter(run);
      });
    };
    arm();
    return () => cancel();
  };
  return {
    now: () => timeline.now() + skew(),
    monotonic: () => timeline.now() - born,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const cancel = after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    pause: () => new Promise((resolve) => timeline.after(0, () => life.enter(resolve))),
    after,
    random: () => 0.5,
    uuid: () => `${life.name}-${nextNumber()}`,
    secret: (bytes) =>
      createHash('sha512').update(`secret ${nextNumber()}`).digest().subarray(0, bytes).toString('base64url'),
  };
}
