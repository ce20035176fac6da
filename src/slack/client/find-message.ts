/**
 * Searches Slack for messages of ours that may have been posted, by their metadata. Slack may give any number of messages
 * a page, and may ask to slow down after each: a search that was ended goes on where it stopped. It never begins anew,
 * since in a busy channel it would never come to an end; and it keeps no cursor, which is good for a short time only.
 */
import type { webApi } from '@slack/bolt';
import { failureOf, platformCode } from './failure.ts';

/**
 * How far Slack's clock and ours may lie apart, as for signatures
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack), and how long after it was written a post may still
 * come through.
 */
const BEFORE_MS = 5 * 60_000;
const AFTER_MS = 5 * 60_000;
const PAGE = 200;

export type Place = { channel: string; thread_ts?: string };
/** What a message of ours is marked with, and known again by. */
export type Marker = { event_type: string; event_payload: Record<string, string | number> };

/** `since` and `until`: when it may have been written, epoch milliseconds. `bound`: how far an earlier search has come. */
export type Search = {
  place: Place;
  botId: string;
  metadata: Marker;
  since: number;
  until: number;
  bound?: string | undefined;
};

/** `found`: the timestamps of our messages. */
export type Searched =
  | { type: 'complete'; found: string[] }
  | { type: 'searching'; found: string[]; bound: string | undefined; retryAfterMs: number };

type Message = { ts?: string; bot_id?: string; metadata?: { event_type?: string; event_payload?: object } };

type Options = { isEnough?: (found: string[]) => boolean; mayGoOn: () => boolean };

/**
 * Searches a channel, or a thread. Where the thread's parent is gone, its channel: that is where Slack posts such replies.
 *
 * @param isEnough ends the search early
 * @param mayGoOn asked before each further page
 * @throws what the Web API client throws for the first page
 */
export async function searchMessages(
  client: webApi.WebClient,
  search: Search,
  options: Options,
): Promise<Searched> {
  try {
    return await searchPlace(client, search, options);
  } catch (error) {
    const { channel, thread_ts } = search.place;
    if (thread_ts === undefined || platformCode(error) !== 'thread_not_found') throw error;
    return searchPlace(client, { ...search, place: { channel } }, options);
  }
}

async function searchPlace(
  client: webApi.WebClient,
  search: Search,
  { isEnough = () => false, mayGoOn }: Options,
): Promise<Searched> {
  const found: string[] = [];
  let { bound } = search;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const answer =
      page === 1 || mayGoOn() ? await readPage(client, search, { cursor, isFirst: page === 1 }) : STOPPED;
    if ('retryAfterMs' in answer) return { type: 'searching', found, bound, ...answer };
    const ours = answer.messages.filter((message) => isOurs(message, search));
    found.push(...ours.flatMap(({ ts }) => ts ?? []));
    bound = furthest(search.place, answer.messages, bound);
    cursor = answer.next;
    if (!cursor || isEnough(found)) return { type: 'complete', found };
  }
}

const STOPPED = { retryAfterMs: 0 };

type Page = { messages: Message[]; next: string | undefined };

/** @returns in how long to go on, where Slack wants that, or what was asked for the next page is not known */
async function readPage(
  client: webApi.WebClient,
  search: Search,
  { cursor, isFirst }: { cursor: string | undefined; isFirst: boolean },
): Promise<Page | { retryAfterMs: number }> {
  try {
    return await read(client, search, cursor);
  } catch (error) {
    const failure = failureOf(error);
    if (isFirst || failure.type === 'refused') throw error;
    return { retryAfterMs: 'retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 1_000 };
  }
}

/** A channel is read from the newest to the oldest, a thread the other way round, with its parent on each page. */
async function read(client: webApi.WebClient, search: Search, cursor: string | undefined): Promise<Page> {
  const { place, since, until, bound } = search;
  const { channel, thread_ts } = place;
  const oldest = seconds(since - BEFORE_MS);
  const latest = seconds(until + AFTER_MS);
  const options = { channel, limit: PAGE, include_all_metadata: true, ...(cursor ? { cursor } : {}) };
  const answer = thread_ts
    ? await client.conversations.replies({ ...options, oldest: bound ?? oldest, latest, ts: thread_ts })
    : await client.conversations.history({ ...options, oldest, latest: bound ?? latest });
  const messages: Message[] = answer.messages ?? [];
  return {
    messages: messages.filter(({ ts }) => ts !== thread_ts),
    next: answer.response_metadata?.next_cursor || undefined,
  };
}

/** Slack's timestamps: seconds, with a fraction. */
const seconds = (at: number): string => (at / 1_000).toFixed(6);

function furthest({ thread_ts }: Place, messages: Message[], bound: string | undefined): string | undefined {
  const read = messages.flatMap(({ ts }) => ts ?? []).concat(bound ?? []);
  const inOrder = read.toSorted((a, b) => Number(a) - Number(b));
  return thread_ts ? inOrder.at(-1) : inOrder[0];
}

/** Anyone can write the same metadata; only what this bot has posted counts. */
function isOurs({ bot_id, metadata }: Message, { botId, metadata: wanted }: Search): boolean {
  const payload = new Map(Object.entries(metadata?.event_payload ?? {}));
  const isSame = Object.entries(wanted.event_payload).every(([key, value]) => payload.get(key) === value);
  return bot_id === botId && metadata?.event_type === wanted.event_type && isSame;
}
