/** Promise 6: nothing of a workspace that has uninstalled the app is left in the storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStorage } from '../processes/storage.ts';
import type { Violation } from './seen.ts';

const POLL_MS = 500;
/** Longer than Redis keeps a key that expires. */
const TIMEOUT_MS = 75_000;

export async function checkLeftBehind(
  storage: ChaosStorage,
  traces: readonly string[],
): Promise<Violation[]> {
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    const lines = await storage.dump();
    const left = lines.filter((line) => traces.some((trace) => line.includes(trace)));
    if (left.length === 0 || Date.now() > until)
      return left.map((line) => ({
        type: 'wrong',
        promise: 6,
        what: `left behind: ${line.slice(0, 200)}`,
      }));
    await sleep(POLL_MS);
  }
}
