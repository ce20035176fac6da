/** Unescapes `&lt;`, `&gt;` and `&amp;`, the only characters that Slack escapes. */
export const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Escapes the same characters, as Slack does in texts that people type. */
export const entityEscaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
