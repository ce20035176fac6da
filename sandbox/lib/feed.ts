/** Feeds of values, waits for a value, and retries. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Feed<T> = ReturnType<typeof createFeed<T>>;

/** Creates an in-memory feed. A listener may unsubscribe while it is called, without effect on the others. */
export function createFeed<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    publish: (value: T) => {
      for (const listener of [...listeners]) listener(value);
    },
    subscribe: (listener: (value: T) => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type WaitOptions = {
  timeoutMs?: number;
  /** The awaited thing, in words: "no <awaited> within 60000 ms". */
  awaited?: string;
};

/** Longer than anything takes on a busy machine, so that only a wait for what never happens reaches it. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Resolves as soon as `look` finds something: now, or after any value of the feed.
 * Rejects after `timeoutMs`, with the state that `explain` describes.
 */
export function waitUntil<T>(
  feed: { subscribe(listener: () => void): () => void },
  look: () => T | undefined,
  options: WaitOptions & { explain?: () => string } = {},
): Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, awaited = 'match', explain = () => '' } = options;
  const found = look();
  if (found !== undefined) return Promise.resolve(found);

  // Created here, so that its stack names the line of the waiting test.
  const failure = new Error();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      failure.message = `no ${awaited} within ${timeoutMs} ms\n${explain()}`.trimEnd();
      reject(failure);
    }, timeoutMs);
    const unsubscribe = feed.subscribe(() => {
      const value = look();
      if (value === undefined) return;
      clearTimeout(timer);
      unsubscribe();
      resolve(value);
    });
  });
}

export async function pause(ms: number, until: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: until }).catch(() => undefined);
}

/** The result of an attempt: done, worth another attempt, or not to be repeated. */
type Attempt = 'done' | 'again' | 'stop';

/** Tries at once, then after each of the delays, until it is done, told to stop, or closing. @returns whether it was done */
export async function retryWithDelays(options: {
  delaysMs: readonly number[];
  closing: AbortSignal;
  /** Called with 0, 1, 2, … */
  attempt(number: number): Promise<Attempt>;
}): Promise<boolean> {
  const { delaysMs, closing, attempt } = options;
  for (const [number, delayMs] of [0, ...delaysMs].entries()) {
    if (delayMs > 0) await pause(delayMs, closing);
    if (closing.aborted) return false;
    const result = await attempt(number);
    if (result !== 'again') return result === 'done';
  }
  return false;
}
