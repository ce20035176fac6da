/** Parses a JSON text; undefined if it is not JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON text; returns the text itself if it is not JSON. */
export const jsonOrText = (text: string): unknown => tryJson(text) ?? text;

/** Removes undefined fields, which `exactOptionalPropertyTypes` tells from absent ones. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}
