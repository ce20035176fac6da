/** Creates caches that drop the least recently used entry, or what is too old. */
import { LRUCache } from 'lru-cache';

/** `now`: monotonic milliseconds. */
export type Age = { ttlMs: number; now: () => number };

/**
 * @param most the limit of entries. The library's own limit of entries reserves memory for all of them at once; a limit of
 *   sizes does not.
 */
export const createCache = <T extends {}>(most: number, age?: Age): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...(age && limitsOf(age)) });

// The library takes the time 0 for a missing one.
const limitsOf = ({ ttlMs, now }: Age) => ({ ttl: ttlMs, ttlResolution: 0, perf: { now: () => now() + 1 } });
