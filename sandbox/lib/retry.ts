import { setTimeout as sleep } from 'node:timers/promises';

/** The result of an attempt: done, worth another attempt, or not to be repeated. */
export type Attempt = 'done' | 'again' | 'stop';

/** Tries at once, then after each of the delays, until it is done, told to stop, or closing. @returns whether it was done */
export async function retryWithDelays(options: {
  delaysMs: readonly number[];
  closing: AbortSignal;
  /** Called with 0, 1, 2, … */
  attempt(number: number): Promise<Attempt>;
}): Promise<boolean> {
  const { delaysMs, closing, attempt } = options;
  for (const [number, delayMs] of [0, ...delaysMs].entries()) {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return false;
    const result = await attempt(number);
    if (result !== 'again') return result === 'done';
  }
  return false;
}
