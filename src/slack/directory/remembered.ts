/** Caches Slack's answers for a moment. Concurrent callers share one call. */
import { createCache } from '../../cache.ts';

/** A right that was taken away stays cached for at most so long. */
export const REMEMBERED_MS = 60_000;
/** The limit of cached answers of a kind; the least recently used one is dropped first. */
export const MOST_REMEMBERED = 10_000;

export type Remembered = {
  /** @param isKept whether to cache an answer: a denial may be fixed at any moment, and a fault is never cached */
  cached<T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T>;
  /**
   * Clears an answer: the next caller asks Slack again; a call under way answers only those who already wait for it.
   */
  forget(key: string): void;
  /** The same for all keys with this prefix. */
  forgetAll(prefix: string): void;
};

/** @param now milliseconds that only ever grow */
export function createRemembered(now: () => number): Remembered {
  const answers = createCache<Promise<unknown>>(MOST_REMEMBERED, { ttlMs: REMEMBERED_MS, now });
  return {
    cached<T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T> {
      const known = answers.get(key);
      if (known) return known as Promise<T>;
      const answer = ask();
      answers.set(key, answer);
      const forget = () => answers.peek(key) === answer && answers.delete(key);
      answer.then((value) => isKept(value) || forget(), forget);
      return answer;
    },
    forget: (key) => void answers.delete(key),
    forgetAll(prefix) {
      for (const key of [...answers.keys()]) if (key.startsWith(prefix)) answers.delete(key);
    },
  };
}

export type Looks<T> = {
  /** @param maxAgeMs the maximum age of a shared read; 0: reads now */
  look(key: string, ask: () => Promise<T>, maxAgeMs: number): Promise<T>;
  forget(key: string): void;
};

/** Shares reads of data that must be current: each caller says how old another caller's read may be. */
export function createLooks<T>(now: () => number): Looks<T> {
  const looks = createCache<{ at: number; value: Promise<T> }>(MOST_REMEMBERED, {
    ttlMs: REMEMBERED_MS,
    now,
  });
  return {
    look(key, ask, maxAgeMs) {
      const known = looks.get(key);
      if (known && now() - known.at < maxAgeMs) return known.value;
      const made = { at: now(), value: ask() };
      looks.set(key, made);
      made.value.catch(() => looks.peek(key) === made && looks.delete(key));
      return made.value;
    },
    forget: (key) => void looks.delete(key),
  };
}
