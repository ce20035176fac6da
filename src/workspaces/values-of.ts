/** All that a keyv holds under its namespace. */
import type Keyv from 'keyv';
import type { z } from 'zod';

/** @throws where the storage can't list what it holds: then nobody knows, and that is not "nothing" */
export async function valuesOf<T>(store: Keyv, schema: z.ZodType<T>): Promise<T[]> {
  if (!store.iterator) throw new Error('This storage cannot list what it holds.');
  const values: T[] = [];
  const entries = store.iterator(store.namespace) as AsyncGenerator<[string, unknown]>;
  for await (const [, value] of entries) values.push(schema.parse(value));
  return values;
}
