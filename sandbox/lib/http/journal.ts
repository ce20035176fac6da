/** The append-only log of all traffic and of people's acts, without secrets. */
import { createFeed, type WaitOptions, waitUntil } from '../feed.ts';

/**
 * The kind of an exchange or act. An exchange over Socket Mode has the kind and name that it has over HTTP. `socket` is
 * the connection itself: `connect` (ends with the greeting), `disconnect` (the app is asked to leave), `close` (from the side
 * that closed it), `raw` (a frame that Slack would not send), `unmatched` (a message of the app that acknowledges no waiting
 * envelope).
 */
export type JournalKind =
  | 'web_api'
  | 'response_url'
  | 'command'
  | 'interactivity'
  | 'options'
  | 'event'
  | 'socket'
  | 'person'
  | 'order_service'
  | 'service_event'
  | 'back_office';

export type Ending =
  | 'answered'
  | 'client_gone'
  | 'timeout'
  | 'no_connection'
  | 'connection_lost'
  /** A fault destroyed the socket before or after processing, or in the middle of the answer. */
  | 'dropped'
  | 'unanswered'
  | 'truncated'
  /** The sandbox itself failed; the answer says why. */
  | 'sandbox_error';

type JournalStart = {
  from: string;
  to: string;
  kind: JournalKind;
  /** A Web API method, a route's operation, a command, an event type, or the name of an act. */
  name: string;
  /**
   * For the Web API its arguments, with JSON parsed, and the `token`; for the order service `method`, `target` (raw), `id`
   * (decoded), `authorization` and `body`; for a delivery its headers, or its `envelope` in Socket Mode, and its body.
   */
  request: unknown;
};

type JournalEnd = {
  ended: Ending;
  response?: { status: number; body: unknown };
  outcome?: unknown;
  /** Whether the server processed the request. A request that a fault refused was not processed. */
  processed?: boolean;
  fault?: unknown;
};

/** One exchange or act. Entries are added when they end, and never change. */
export interface JournalEntry extends Readonly<JournalStart>, Readonly<JournalEnd> {
  /** 1, 2, 3, … in the order in which exchanges ended. */
  readonly n: number;
  /** The `n` of the newest entry that had ended when this one began; that entry certainly came before. */
  readonly after: number;
  /** The beginning, in epoch milliseconds. */
  readonly at: number;
  /** The duration in milliseconds. */
  readonly ms: number;
}

export type JournalFilter =
  | Partial<Pick<JournalEntry, 'from' | 'to' | 'kind' | 'name'>>
  | ((entry: JournalEntry) => boolean);

export interface Underway extends Readonly<JournalStart> {
  /** The beginning, in epoch milliseconds. */
  readonly at: number;
  end(end: JournalEnd): JournalEntry;
}

/** The number of entries in the error message of a wait. */
const MOST_DESCRIBED = 15;

export type Journal = ReturnType<typeof createJournal>;

/** Creates an empty journal. Both services of a sandbox write to the same one. */
export function createJournal() {
  const entries: JournalEntry[] = [];
  const underway = new Set<Underway>();
  const secrets = new Set<string>();
  const feed = createFeed<JournalEntry>();
  const beginnings = createFeed<Underway>();

  function begin(start: JournalStart): Underway {
    const at = Date.now();
    const after = entries.length;
    const masked = { ...start, request: maskSecrets(start.request, secrets) };
    const pending: Underway = {
      ...masked,
      at,
      end: (end) => {
        underway.delete(pending);
        const numbered = { n: entries.length + 1, after, at, ms: Date.now() - at, ...masked };
        const entry = Object.freeze({ ...numbered, ...(maskSecrets(end, secrets) as JournalEnd) });
        entries.push(entry);
        feed.publish(entry);
        return entry;
      },
    };
    underway.add(pending);
    beginnings.publish(pending);
    return pending;
  }

  const describeAll = () =>
    [
      `the last of ${entries.length} entries:`,
      ...entries.slice(-MOST_DESCRIBED).map(describeEntry),
      ...[...underway].map((start) => `  under way: ${describe(start)}`),
    ].join('\n');

  return {
    begin,
    /** Records an act, which has no duration. */
    record: (start: JournalStart, end: JournalEnd = { ended: 'answered' }) => begin(start).end(end),
    entries: (filter: JournalFilter = {}) => entries.filter((entry) => matches(entry, filter)),
    underway: () => [...underway],
    /** Resolves with the first entry, past or future, that matches (`after`: only with a greater `n`). */
    waitFor: (filter: JournalFilter, options: WaitOptions & { after?: number } = {}) => {
      const { after = 0, ...how } = options;
      const awaited = `journal entry matching ${typeof filter === 'function' ? filter : JSON.stringify(filter)}`;
      const look = () => entries.find((entry) => entry.n > after && matches(entry, filter));
      return waitUntil(feed, look, { awaited, explain: describeAll, ...how });
    },
    subscribe: feed.subscribe,
    onBegin: beginnings.subscribe,
    describe: describeAll,
    /** Masks this text in all later entries, unless it is short: masking a part of many words would make them unreadable. */
    addSecret: (secret: string) => {
      if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
  };
}

function matches(entry: JournalEntry, filter: JournalFilter): boolean {
  if (typeof filter === 'function') return filter(entry);
  return Object.entries(filter).every(([key, value]) => entry[key as keyof JournalEntry] === value);
}

const describe = ({ from, to, kind, name }: JournalStart) => `${from} -> ${to}  ${kind} ${name}`;

function describeEntry(entry: JournalEntry): string {
  const answer = entry.response ? `${entry.response.status} ${brief(entry.response.body)}` : '';
  return `  ${entry.n}. ${describe(entry)}  ${entry.ended} ${answer}`.trimEnd();
}

function brief(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const VISIBLE_END = 4;
const SHORTEST_SECRET = 8;

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

function maskSecrets(value: unknown, secrets: Iterable<string>): unknown {
  const registered = [...secrets].map(RegExp.escape);
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
