/** The value of a JSON text; undefined if it is none. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or the text itself if it is none. */
export const jsonOrText = (text: string): unknown => tryJson(text) ?? text;
