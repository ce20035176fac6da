import { test as base, type TestAPI } from 'vitest';

/**
 * Returns a `test` that opens a harness for each test that takes part of it: `test('…', async ({ slack, post }) => …)`.
 * @param parts what tests can take of it, besides `harness`: Vitest has to know their names
 */
export function testWith<T extends object, K extends keyof T & string>(open: () => Promise<T>, parts: K[]) {
  const take = (part: K) => [
    part,
    ({ harness }: { harness: T }, use: (value: T[K]) => Promise<void>) => use(harness[part]),
  ];
  const test = base.extend('harness', () => open()).extend(Object.fromEntries(parts.map(take)));
  return test as unknown as TestAPI<{ harness: T } & Pick<T, K>>;
}
