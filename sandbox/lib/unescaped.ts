/** Unescapes `&lt;`, `&gt;` and `&amp;`, the only characters that Slack escapes. */
export const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
