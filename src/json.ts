/** Decodes and parses JSON of others, of which nothing is known yet. */

const utf8 = new TextDecoder('utf-8');

/** Decodes a body without its byte-order mark, which a reader of JSON may ignore (RFC 8259, section 8.1). */
export const decodeJson = (body: Uint8Array): string => utf8.decode(body);

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
