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
