/**
 * Parses what is stored by key once for as long as it reads the same. Every value is still read each time, so what another
 * process writes is seen at once; but the same text gives the same object, and what was made of it can be found by that.
 */
import type Keyv from 'keyv';
import { LRUCache } from 'lru-cache';

/** Of all values that are kept: a connection has about a thousand characters. */
const MOST_CHARACTERS = 4_000_000;

/** As keyv stores a value; whoever asks for it names its type. */
// biome-ignore lint/suspicious/noExplicitAny: keyv's own deserialize gives back whatever type it is asked for
type Stored = { value?: any; expires?: number | undefined };

export type ParseOnce = (keyv: Keyv) => Keyv;

/** @returns what teaches a keyv to parse a text once; all of one storage share what they have parsed */
export function createParseOnce(): ParseOnce {
  const parsed = new LRUCache<string, Stored>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  return (keyv) => {
    const { deserialize = JSON.parse } = keyv;
    keyv.deserialize = (text) => {
      const known = parsed.get(text);
      if (known) return known;
      const value = deserialize(text);
      if (value && !(value instanceof Promise)) parsed.set(text, frozen(value));
      return value;
    };
    return keyv;
  };
}

/** With all that it holds: whoever changed it would change what others read. */
function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
}
