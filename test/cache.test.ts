import { expect, test } from 'vitest';
import { createCache } from '../src/cache.ts';

test('the entry that was not used for longest makes room for a new one', () => {
  const cache = createCache<number>(2);
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
});
