/** Parses text of others, of which nothing is known yet: JSON, and percent-encoded parts of addresses. */

/** @returns the parsed value; undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a parsed value is an object, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Decodes percent-encoding. @returns undefined if a percent sign encodes nothing: %25 stands for the sign itself */
export function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
