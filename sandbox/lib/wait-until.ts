import type { Feed } from './feed.ts';

/** How long to wait, and what to say when it was in vain. */
export type WaitOptions = {
  timeoutMs?: number;
  /** What was awaited, in words: "no <awaited> within 30000 ms". */
  awaited?: string;
};

/** Longer than a busy machine takes: only what never comes is waited for so long. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Resolves as soon as `look` finds something: now, or after any change that the feed tells of.
 * Rejects after `timeoutMs` with what `explain` says about the state of things.
 */
export function waitUntil<T>(
  feed: Feed<unknown>,
  look: () => T | undefined,
  options: WaitOptions & { explain?: () => string } = {},
): Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, awaited = 'match', explain = () => '' } = options;
  const found = look();
  if (found !== undefined) return Promise.resolve(found);

  // Made here, so that its stack names the line of the test that waits.
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
