/**
 * Replaces everything that could identify people, secrets or a workspace. Equal texts get equal replacements, so that
 * references stay intact.
 */

/** The form of a text, which decides on its replacement. */
type Form = 'token' | 'id' | 'email' | 'url' | 'text';

export type Redaction = ReturnType<typeof createRedaction>;

/** The fields whose texts are chosen by Slack or by the app's code. */
const WORDS = new Set([
  'action_id',
  'block_id',
  'callback_id',
  'channel_type',
  'command',
  'error',
  'event_type',
  'frozen_reason',
  'grant_type',
  'needed',
  'provided',
  'reaction',
  'response_action',
  'response_type',
  'retry_reason',
  'scope',
  'style',
  'subtype',
  'token_type',
  'type',
  'warning',
  'warnings',
]);
const WORD = /^[\w/.:,+-]{0,500}$/;
/** Slack's error messages about blocks and arguments. */
const COMPLAINT = /^\[(ERROR|WARN)\] [^<>@]*$/;
const KEPT = /^(\d{10}\.\d{6}|\d{1,4}|true|false|)$/;

const FORMS: readonly [Form, RegExp, (text: string, n: number) => string][] = [
  ['token', /^x(?:ox[a-z]|app)[-.]/, (text, n) => `${text.slice(0, text.search(/[-.]/))}-redacted-${n}`],
  ['url', /^\w+:\/\//, (text, n) => `${text.slice(0, text.indexOf(':'))}://redacted.example/${n}`],
  ['email', /^\S+@\S+\.\S+$/, (_text, n) => `person${n}@redacted.example`],
  ['id', /^(Ev|[A-Z])[A-Z0-9]{6,}$/, (text, n) => `${/^(Ev|[A-Z])/.exec(text)?.[0]}REDACTED${n}`],
  ['text', /^/, (_text, n) => `text ${n}`],
];

/** Whether a text can be a word of Slack, or the name of a field, and has no form of its own (a token, an id, a URL). */
const isWord = (text: string): boolean =>
  WORD.test(text) && FORMS.every(([form, pattern]) => form === 'text' || !pattern.test(text));

/**
 * Whether a text identifies somebody wherever it appears. A single word does not: elsewhere it may be a word of Slack, or a
 * part of one.
 */
const identifies = (form: Form, text: string): boolean => form !== 'text' || /\s/.test(text);

export function createRedaction() {
  const replaced = new Map<string, string>();
  const forbidden = new Set<string>();
  const counts: Record<Form, number> = { token: 0, id: 0, email: 0, url: 0, text: 0 };

  function replace(text: string): string {
    const known = replaced.get(text);
    if (known !== undefined) return known;
    const [form, , write] = FORMS.find(([, pattern]) => pattern.test(text)) as (typeof FORMS)[number];
    counts[form] += 1;
    const written = write(text, counts[form]);
    replaced.set(text, written);
    if (identifies(form, text)) forbidden.add(text);
    return written;
  }

  function redactText(text: string, key: string | undefined): string {
    if (KEPT.test(text) || COMPLAINT.test(text)) return text;
    return key !== undefined && WORDS.has(key) && isWord(text) ? text : replace(text);
  }

  function redactObject(value: object): object {
    // A reaction, and an emoji in a rich text, are named by the emoji.
    const isEmoji = ('count' in value && 'users' in value) || ('type' in value && value.type === 'emoji');
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        isWord(key) ? key : replace(key),
        within(item, isEmoji && key === 'name' ? 'reaction' : key),
      ]),
    );
  }

  function within(value: unknown, key: string | undefined): unknown {
    if (typeof value === 'string') return redactText(value, key);
    if (Array.isArray(value)) return value.map((item) => within(item, key));
    return value !== null && typeof value === 'object' ? redactObject(value) : value;
  }

  return {
    /** Copies a JSON value. Slack's own words, numbers, flags and timestamps stay; every other text is replaced. */
    redact: (value: unknown) => within(value, undefined),
    /** Marks every text that contains this as not clean. */
    addSecret: (secret: string) => void (secret && forbidden.add(secret)),
    /** Whether a text contains no secret, and nothing that was replaced elsewhere. */
    isClean: (text: string) => ![...forbidden].some((each) => text.includes(each)),
    /** The number of different texts that were replaced, by form. */
    counts: () => ({ ...counts }),
  };
}
