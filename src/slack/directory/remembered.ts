/** Remembers for a minute what Slack has said. Whoever asks at the same moment shares one question. */

/** Nobody keeps a right longer than this after it was taken away. */
export const REMEMBERED_MS = 60_000;
/** No more than so many of a kind are remembered. */
export const MOST_REMEMBERED = 10_000;

export type Remembered = {
  /** @param isKept which answers are worth keeping: a "no" may be put right at any moment, and a fault is never kept */
  cached<T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T>;
  /** The next question is asked anew. An answer that is under way is kept for those who wait for it, and for nobody else. */
  forget(key: string): void;
  /** The same for all keys that begin so. */
  forgetAll(prefix: string): void;
};

export function createRemembered(now: () => number): Remembered {
  const entries = new Map<string, { until: number; value: Promise<unknown> }>();
  return {
    cached<T>(key: string, ask: () => Promise<T>, isKept: (value: T) => boolean): Promise<T> {
      const entry = entries.get(key);
      if (entry && entry.until > now()) return entry.value as Promise<T>;
      if (entries.size >= MOST_REMEMBERED) entries.clear();
      const value = ask();
      const made = { until: now() + REMEMBERED_MS, value };
      entries.set(key, made);
      const forget = () => entries.get(key) === made && entries.delete(key);
      value.then((answer) => isKept(answer) || forget(), forget);
      return value;
    },
    forget: (key) => void entries.delete(key),
    forgetAll(prefix) {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key);
    },
  };
}

export type Looks<T> = {
  /** @param maxAgeMs how old a look may be; 0: it is made now */
  look(key: string, ask: () => Promise<T>, maxAgeMs: number): Promise<T>;
  forget(key: string): void;
};

/** Looks at what must be known as it is: each says how old one may be that was made for somebody else. */
export function createLooks<T>(now: () => number): Looks<T> {
  const looks = new Map<string, { at: number; value: Promise<T> }>();
  return {
    look(key, ask, maxAgeMs) {
      const known = looks.get(key);
      if (known && now() - known.at < maxAgeMs) return known.value;
      if (looks.size >= MOST_REMEMBERED) looks.clear();
      const made = { at: now(), value: ask() };
      looks.set(key, made);
      made.value.catch(() => looks.get(key) === made && looks.delete(key));
      return made.value;
    },
    forget: (key) => void looks.delete(key),
  };
}
