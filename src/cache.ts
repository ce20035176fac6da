/** Creates caches that drop the least recently used entry. */
import { LRUCache } from 'lru-cache';

type Options = { ttl?: number; ttlResolution?: number; perf?: { now(): number } };

/**
 * @param most the limit of entries. The library's own limit of entries reserves memory for all of them at once; a limit of
 *   sizes does not.
 */
export const createCache = <T extends {}>(most: number, options: Options = {}): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...options });
