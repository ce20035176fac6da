/** Remembers for a moment what Slack has said. Everybody who asks at the same moment shares one call. */
import { LRUCache } from 'lru-cache';

/** Nobody keeps a right longer than this after it was taken away. */
export const REMEMBERED_MS = 60_000;
/** The most answers of a kind that are remembered; the least used one goes first. */
export const MOST_REMEMBERED = 10_000;

/** @param now epoch milliseconds */
export const createCache = <T extends {}>(now: () => number, ttl = REMEMBERED_MS): LRUCache<string, T> =>
  new LRUCache({ max: MOST_REMEMBERED, ttl, ttlResolution: 0, perf: { now } });

export type Remembered = {
  /** @param isKept which answers are worth keeping: a "no" may be put right at any moment, and a fault is never kept */
  cached<T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T>;
  /** Makes the next caller ask Slack anew; a call that is under way answers those who wait for it, and nobody else. */
  forget(key: string): void;
  /** The same for all keys with this prefix. */
  forgetAll(prefix: string): void;
};

export function createRemembered(now: () => number): Remembered {
  const answers = createCache<Promise<unknown>>(now);
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
  /** @param maxAgeMs how old a look may be; 0: it is made now */
  look(key: string, ask: () => Promise<T>, maxAgeMs: number): Promise<T>;
  forget(key: string): void;
};

/** Looks at what must be known as it is now: each caller says how old a look of another caller may be. */
export function createLooks<T>(now: () => number): Looks<T> {
  const looks = createCache<{ at: number; value: Promise<T> }>(now);
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
