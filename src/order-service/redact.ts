/**
 * Redacts a token from texts of the order service. The texts are parsed strings, so the escapes of the answer's JSON
 * are already undone. Encodings inside a text are decoded as a parser of JSON or of a URL would do, and base64 is
 * recognized. This protects against a service that quotes the request, not against one that hides the token on purpose.
 */

const HIDDEN = '[token]';

/** Each party that quotes another may escape the text again: a gateway, the service, a part of the service. */
const ROUNDS = 3;

/** One printable ASCII character, escaped as in a URL (RFC 3986, section 2.1) or in JSON (RFC 8259, section 7). */
const ESCAPED = /%([2-7][0-9a-f])|\\u00([2-7][0-9a-f])|\\(["\\/])/gi;

export function createRedactor(token: string): (text: string) => string {
  let encoded: ReturnType<typeof inBase64> | undefined;

  function hide(text: string): string {
    encoded ??= inBase64(token);
    const plain = text.replaceAll(token, HIDDEN);
    return encoded.pieces.some((piece) => plain.includes(piece))
      ? plain.replace(encoded.pattern, HIDDEN)
      : plain;
  }

  return (text) => {
    // No encoding makes a token shorter.
    if (text.length < token.length) return text;
    let shown = hide(text);
    let decoded = shown;
    for (let round = 0; round < ROUNDS; round++) {
      const before = decode(decoded);
      if (before === decoded) break;
      decoded = hide(before);
      // Returns the decoded text, because only there the token was visible and redacted.
      if (decoded !== before) shown = decoded;
    }
    return shown;
  };
}

const decode = (text: string): string =>
  text.replace(ESCAPED, (_, percent, unicode, plain) =>
    plain === undefined ? String.fromCharCode(Number.parseInt(percent ?? unicode, 16)) : plain,
  );

/**
 * Returns the base64 characters that encode the token alone, for each alignment: three bytes make four characters (RFC
 * 4648, section 4). The four at either edge also depend on the token's neighbours.
 */
function inBase64(token: string): { pieces: string[]; pattern: RegExp } {
  const aligned = [0, 1, 2].map((before) => {
    const bytes = Buffer.from(' '.repeat(before) + token);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
    return whole.toString('base64').slice(before === 0 ? 0 : 4);
  });
  const pieces = aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  const either = pieces.join('|').replaceAll('+', '\\+');
  return { pieces, pattern: new RegExp(`[\\w+/-]{0,4}(?:${either})[\\w+/=-]{0,4}`, 'g') };
}
