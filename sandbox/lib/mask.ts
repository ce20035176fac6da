const VISIBLE_END = 4;

/** Secrets with a recognisable form: Slack tokens, bearer tokens, and 32 random bytes in base64url. */
const KNOWN_FORMS = [
  /\bx(?:ox[a-z]|app)-[\w-]+/g,
  /(?<=\bBearer\s)[\w.~+/=-]+/gi,
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
];

/** Fields that hold only a secret, perhaps after a word for its scheme. */
const SECRET_FIELDS = /^(authorization|token|.*secret|.*signature.*)$/i;

/** Replaces a secret by a mask that keeps its last four characters, so that two can be told apart. */
export function maskSecret(secret: string): string {
  return secret.length > 2 * VISIBLE_END ? `***${secret.slice(-VISIBLE_END)}` : '***';
}

/** Copies a JSON value and masks every known secret in it. */
export function maskSecrets(value: unknown, secrets: Iterable<string>): unknown {
  const known = [...secrets].filter((secret) => secret !== '');
  return maskWithin(value, (text) => maskText(text, known));
}

function maskText(text: string, secrets: string[]): string {
  const registered = secrets.reduce((masked, secret) => masked.replaceAll(secret, maskSecret(secret)), text);
  return KNOWN_FORMS.reduce((masked, form) => masked.replace(form, maskSecret), registered);
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
