/** Creates caches that drop the least recently used entry, and give back nothing that is too old. */
import { LRUCache } from 'lru-cache';

/** `now`: monotonic milliseconds. */
export type Age = { ttlMs: number; now: () => number };

/**
 * @param most the limit of entries. The library gets it as a limit of sizes (each is 1), because for a limit of entries it
 *   reserves the memory of all at once
 */
export const createCache = <T extends {}>(most: number, age?: Age): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...(age && limitsOf(age)) });

// The library takes the time 0 for none at all.
const limitsOf = ({ ttlMs, now }: Age) => ({ ttl: ttlMs, ttlResolution: 0, perf: { now: () => now() + 1 } });
