/** Reads JSON, and makes objects for it. */
import { parseJson } from '../../src/json.ts';

/** Parses a JSON text; returns the text itself if it is `null`, or not JSON. */
export const jsonOrText = (text: string): unknown => parseJson(text) ?? text;

/** Removes undefined fields, which `exactOptionalPropertyTypes` tells from absent ones. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}
