/** Implements time and randomness with those of the machine. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from './requests/ports/ports.ts';

export const RUNTIME: Runtime = {
  now: Date.now,
  monotonic: createMonotonic(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { ref: false, signal } : {}),
  pause: () => pause(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  random: Math.random,
  uuid: randomUUID,
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
};

/** Less than this between the two clocks is rounding or a small step of the machine's clock, and no suspension. */
const SUSPENDED_MS = 1_000;

/** Creates a clock that includes the time for which the machine was suspended, which `performance.now` omits on Linux. */
export function createMonotonic(
  running: () => number = () => performance.now(),
  wall: () => number = Date.now,
): () => number {
  let [ranTo, atWall, total] = [running(), wall(), 0];
  return () => {
    const [ranNow, wallNow] = [running(), wall()];
    const [ran, passed] = [ranNow - ranTo, wallNow - atWall];
    total += passed - ran > SUSPENDED_MS ? passed : ran;
    [ranTo, atWall] = [ranNow, wallNow];
    return total;
  };
}
