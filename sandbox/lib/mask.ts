const VISIBLE_END = 4;

/** Secrets with a recognisable form: Slack tokens, bearer tokens, and 32 random bytes in base64url. */
const KNOWN_FORMS = [
  /\bx(?:ox[a-z]|app)-[\w-]+/,
  /(?<=\b(?i:Bearer)\s)[\w.~+/=-]+/,
  /(?<![\w-])[\w-]{43}(?![\w-])/,
].map(({ source }) => source);

/** Fields that hold only a secret, perhaps after a word for its scheme. */
const SECRET_FIELDS = /^(authorization|token|.*secret|.*signature.*)$/i;

/** Replaces a secret by a mask that keeps its last four characters, so that two can be told apart. */
export function maskSecret(secret: string): string {
  return secret.length > 2 * VISIBLE_END ? `***${secret.slice(-VISIBLE_END)}` : '***';
}

/** Copies a JSON value and masks every known secret in it. */
export function maskSecrets(value: unknown, secrets: Iterable<string>): unknown {
  const registered = [...secrets].filter((secret) => secret !== '').map(RegExp.escape);
  // One expression for all: the journal of a long run masks millions of texts.
  const secret = new RegExp([...registered, ...KNOWN_FORMS].join('|'), 'g');
  return maskWithin(value, (text) => text.replace(secret, maskSecret));
}

function maskWithin(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskWithin(item, mask));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([key, item]) => [
    mask(key),
    SECRET_FIELDS.test(key) && typeof item === 'string'
      ? item.replace(/\S+$/, maskSecret)
      : maskWithin(item, mask),
  ]);
  return Object.fromEntries(fields);
}
