/**
 * Searches for every secret of a test: afterwards none of them may be in the log, in the metrics, in the storage, or in
 * anything that the bot has sent to Slack or answered (promise 7).
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Journal, JournalKind } from '../../../sandbox/lib/http/journal.ts';
import type { Slack } from '../../../sandbox/slack/start.ts';
import type { Config } from '../../../src/config.ts';
import { keyFilePath } from '../../../src/storage/sqlite/open.ts';
import { readRaw } from '../storage/raw-storage.ts';

type Start = Parameters<Journal['begin']>[0];
type End = Parameters<ReturnType<Journal['begin']>['end']>[0];
type Sent = { kind: JournalKind; name: string; text: string };

/** Calls made by the bot. */
const CALLS: ReadonlySet<JournalKind> = new Set(['web_api', 'response_url']);
/** Requests that the bot answers. */
const ANSWERS: ReadonlySet<JournalKind> = new Set([
  'command',
  'interactivity',
  'options',
  'event',
  'service_event',
]);

/**
 * The method that takes a code, the client secret and refresh tokens
 * (https://docs.slack.dev/reference/methods/oauth.v2.access).
 */
const TAKES_SECRETS = 'oauth.v2.access';

/** Wraps a journal, and keeps what was sent before the journal masks it. */
export function watchJournal(journal: Journal) {
  const secrets = new Set<string>();
  const sent: Sent[] = [];
  const note = ({ kind, name }: Start, content: unknown) => {
    // The token of the call is not part of its content.
    const text = JSON.stringify(content, (key, value) => (key === 'token' ? undefined : value)) ?? '';
    sent.push({ kind, name, text });
  };
  const begin: Journal['begin'] = (start) => {
    if (CALLS.has(start.kind)) note(start, start.request);
    const underway = journal.begin(start);
    const end = (ending: End) => {
      if (ANSWERS.has(start.kind)) note(start, ending.response);
      return underway.end(ending);
    };
    return Object.assign(Object.create(underway), underway, { end });
  };
  const watched: Journal = {
    ...journal,
    begin,
    record: (start, end = { ended: 'answered' }) => begin(start).end(end),
    addSecret(secret) {
      secrets.add(secret);
      journal.addSecret(secret);
    },
  };
  return { journal: watched, secrets, sent };
}

export type WatchedJournal = ReturnType<typeof watchJournal>;

/** All secrets of a test, including replaced ones. */
export function secretsOf(config: Config, slack: Slack, { secrets }: WatchedJournal): Set<string> {
  const { accessTokens, refreshTokens } = slack.world;
  const { installing } = config.slack;
  const file = config.storage.type === 'sqlite' ? keyFilePath(config.storage.path) : '';
  const keys = [
    ...(config.secretKeys ?? []).map(({ key }) => key.export().toString('base64')),
    ...(existsSync(file)
      ? [
          readFileSync(file, 'utf8')
            .trim()
            .replace(/^[^:]*:/, ''),
        ]
      : []),
  ];
  return new Set([
    // The signing secret, the app-level token, the client secret, and the API tokens and events secrets of the service.
    ...secrets,
    ...accessTokens.keys(),
    ...refreshTokens.keys(),
    ...(installing.type === 'oauth' ? [installing.stateSecret] : []),
    ...keys,
  ]);
}

/** Everything in the storage, including freed pages and the write-ahead log. */
export async function readStored({ storage }: Config): Promise<string> {
  if (storage.type === 'redis') return (await readRaw(storage)).join('\n');
  const files = [storage.path, `${storage.path}-wal`].filter((file) => existsSync(file));
  return files.map((file) => readFileSync(file, 'latin1')).join('\n');
}

/** An events secret, 32 random bytes in base64url: the form shows it once to the admin who connects. */
const EVENTS_SECRET = /^[\w-]{43}$/;

/**
 * Returns how the secret reads inside the Base64 of a longer text, for each of the three alignments. Characters that also
 * encode a neighbouring byte are left out.
 */
const inBase64 = (secret: string): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const own = bytes.toString('base64').replace(/=+$/, '').slice([0, 2, 3][before]);
    return bytes.length % 3 === 0 ? own : own.slice(0, -1);
  });

/**
 * @param texts by the name of the place where each stands
 * @returns a line for each place in which a secret was found
 */
export function leaksIn(
  { texts, sent }: { texts: Readonly<Record<string, string>>; sent: readonly Sent[] },
  secrets: ReadonlySet<string>,
): string[] {
  return [...secrets].flatMap((secret) => {
    const written = JSON.stringify(secret).slice(1, -1);
    const forms = [secret, encodeURIComponent(secret), written, ...inBase64(secret)];
    const isIn = (text: string) => forms.some((form) => text.includes(form));
    const leaked = sent.filter(
      ({ kind, name, text }) =>
        name !== TAKES_SECRETS && isIn(text) && !(EVENTS_SECRET.test(secret) && isForm(kind, name)),
    );
    // The first characters identify the secret; it may be shown, as it belongs to a test.
    const label = `${secret.slice(0, 12)}…`;
    return [
      ...Object.entries(texts).flatMap(([place, text]) => (isIn(text) ? [`${label} in ${place}`] : [])),
      ...leaked.map(({ kind, name }) => `${label} in ${kind} ${name}`),
    ];
  });
}

const isForm = (kind: JournalKind, name: string) => kind === 'interactivity' || name.startsWith('views.');
