/** Caches Slack's answers for a moment. Concurrent callers share one call. */
import { createCache } from '../../cache.ts';

/** A right that was taken away stays cached for at most so long. */
export const REMEMBERED_MS = 60_000;
/** The limit of cached answers; the least recently used one is dropped first. */
export const MOST_REMEMBERED = 10_000;

/**
 * `maxAgeMs`: how old the answer may be that another caller was given; 0: Slack is asked now. `isKept`: whether others may be
 * given this answer once it is known: a denial may be fixed at any moment. A fault is never cached.
 */
type Reuse<T> = { maxAgeMs?: number; isKept?: (value: T) => boolean };

export type Remembered = {
  /** @returns an answer as fresh as `maxAgeMs` demands. @throws whatever `ask` throws */
  cached<T>(key: string, ask: () => Promise<T>, reuse?: Reuse<T>): Promise<T>;
  /**
   * Clears an answer: the next caller asks Slack again; a call under way answers only those who already wait for it.
   */
  forget(key: string): void;
  /** The same for all keys with this prefix. */
  forgetAll(prefix: string): void;
};

/** @param now milliseconds that only ever grow */
export function createRemembered(now: () => number): Remembered {
  const answers = createCache<{ at: number; value: Promise<unknown> }>(MOST_REMEMBERED, {
    ttlMs: REMEMBERED_MS,
    now,
  });
  return {
    cached<T>(
      key: string,
      ask: () => Promise<T>,
      { maxAgeMs = REMEMBERED_MS, isKept = () => true }: Reuse<T> = {},
    ): Promise<T> {
      const known = answers.get(key);
      if (known && now() - known.at < maxAgeMs) return known.value as Promise<T>;
      const value = ask();
      const answer = { at: now(), value };
      answers.set(key, answer);
      const forget = () => answers.peek(key) === answer && answers.delete(key);
      value.then((found) => isKept(found) || forget(), forget);
      return value;
    },
    forget: (key) => void answers.delete(key),
    forgetAll(prefix) {
      for (const key of [...answers.keys()]) if (key.startsWith(prefix)) answers.delete(key);
    },
  };
}
