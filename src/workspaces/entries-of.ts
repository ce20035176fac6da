/** All that a keyv holds under its namespace. */
import type Keyv from 'keyv';

/** @throws where the storage can't list what it holds: then nobody knows, and that is not "nothing" */
export function entriesOf(store: Keyv): AsyncGenerator<[string, unknown]> {
  if (!store.iterator) throw new Error('This storage cannot list what it holds.');
  return store.iterator(store.namespace) as AsyncGenerator<[string, unknown]>;
}

/** @param value of those that hold it alone; undefined: of all */
export async function keysOf(store: Keyv, value?: unknown): Promise<string[]> {
  const keys: string[] = [];
  for await (const [key, stored] of entriesOf(store)) {
    if (value === undefined || stored === value) keys.push(key);
  }
  return keys;
}
