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

/** Includes the time for which the machine was suspended, which `performance.now` omits on Linux. */
function createMonotonic(): () => number {
  let [running, wall, total] = [performance.now(), Date.now(), 0];
  return () => {
    const [runningNow, wallNow] = [performance.now(), Date.now()];
    total += Math.max(runningNow - running, wallNow - wall);
    [running, wall] = [runningNow, wallNow];
    return total;
  };
}
